//! Signals and memos like those of Leptos, but compiled once for all types of values. Leptos compiles the code that
//! stores, reads and compares values for each type, which makes up a twentieth of the page (`docs/decisions/build.md`).

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use leptos::prelude::{IsDisposed, Read, ReadUntracked, Track, Write};
use leptos::prelude::{Memo as LeptosMemo, RwSignal as LeptosSignal};

/// A value of a signal.
type Stored = Box<dyn Any + Send + Sync>;

/// A value that can be read and set. Readers are notified of a new value.
pub struct RwSignal<T> {
    stored: LeptosSignal<Stored>,
    value: PhantomData<fn() -> T>,
}

/// A value computed from signals. See [`crate::reactive::memo`].
pub struct Memo<T> {
    kept: LeptosMemo<Kept>,
    value: PhantomData<fn() -> T>,
}

/// The value of a memo.
struct Kept(Box<dyn Comparable>);

/// A value that can be compared with another value of its type.
trait Comparable: Any + Send + Sync {
    fn is(&self, other: &dyn Any) -> bool;
    fn any(&self) -> &dyn Any;
}

impl<T: PartialEq + Send + Sync + 'static> Comparable for T {
    fn is(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(other.0.any())
    }
}

/// Reports that a signal has been disposed of, or holds a value of a different type than it was created with. Leptos
/// ends the program in these cases too.
#[cold]
fn fault() -> ! {
    wasm_bindgen::throw_str("faulty-signal")
}

fn value<T: 'static>(held: &dyn Any) -> &T {
    held.downcast_ref().unwrap_or_else(|| fault())
}

fn value_mut<T: 'static>(held: &mut (dyn Any + Send + Sync)) -> &mut T {
    held.downcast_mut().unwrap_or_else(|| fault())
}

// Each of these functions is compiled once.

#[inline(never)]
fn read(signal: LeptosSignal<Stored>) -> impl Deref<Target = Stored> {
    signal.read()
}

#[inline(never)]
fn read_untracked(signal: LeptosSignal<Stored>) -> Option<impl Deref<Target = Stored>> {
    signal.try_read_untracked()
}

/// `None` if the signal has been disposed of. Dropping the guard notifies subscribers.
#[inline(never)]
fn write(signal: &LeptosSignal<Stored>) -> Option<impl DerefMut<Target = Stored>> {
    signal.try_write()
}

#[inline(never)]
fn write_untracked(signal: &LeptosSignal<Stored>) -> Option<impl DerefMut<Target = Stored>> {
    signal.try_write_untracked()
}

#[inline(never)]
fn read_memo(memo: LeptosMemo<Kept>) -> impl Deref<Target = Kept> {
    memo.read()
}

#[inline(never)]
fn read_memo_untracked(memo: LeptosMemo<Kept>) -> impl Deref<Target = Kept> {
    memo.read_untracked()
}

#[inline(never)]
fn new_signal(stored: Stored) -> LeptosSignal<Stored> {
    LeptosSignal::new(stored)
}

type WorkOut = Box<dyn Fn(Option<&Kept>) -> Kept + Send + Sync>;

#[inline(never)]
fn new_memo(work_out: WorkOut) -> LeptosMemo<Kept> {
    LeptosMemo::new(work_out)
}

impl<T: Send + Sync + 'static> RwSignal<T> {
    /// A signal with a value.
    pub fn new(value: T) -> Self {
        Self { stored: new_signal(Box::new(value)), value: PhantomData }
    }

    /// Reads the value and subscribes to it.
    pub fn with<U>(&self, of: impl FnOnce(&T) -> U) -> U {
        of(value(&**read(self.stored)))
    }

    /// Reads the value without subscribing to it.
    pub fn with_untracked<U>(&self, of: impl FnOnce(&T) -> U) -> U {
        match read_untracked(self.stored) {
            Some(held) => of(value(&**held)),
            None => fault(),
        }
    }

    /// Reads the value without subscribing to it; `None` if the signal has been disposed of.
    pub fn try_with_untracked<U>(&self, of: impl FnOnce(&T) -> U) -> Option<U> {
        read_untracked(self.stored).map(|held| of(value(&**held)))
    }

    /// The value. Subscribes to it.
    pub fn get(&self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    /// The value, without subscribing to it.
    pub fn get_untracked(&self) -> T
    where
        T: Clone,
    {
        self.with_untracked(T::clone)
    }

    /// The value, without subscribing to it; `None` if the signal has been disposed of.
    pub fn try_get_untracked(&self) -> Option<T>
    where
        T: Clone,
    {
        self.try_with_untracked(T::clone)
    }

    /// Sets the value, unless the signal has been disposed of.
    pub fn set(&self, new: T) {
        self.update(|value| *value = new);
    }

    /// Changes the value, unless the signal has been disposed of.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        let _ = self.try_update(change);
    }

    /// Changes the value and returns the result of `change`; `None` if the signal has been disposed of.
    pub fn try_update<U>(&self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        write(&self.stored).map(|mut held| change(value_mut(&mut **held)))
    }

    /// Changes the value without notifying subscribers, and returns the result of `change`; `None` if the signal has
    /// been disposed of.
    pub fn try_update_untracked<U>(&self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        write_untracked(&self.stored).map(|mut held| change(value_mut(&mut **held)))
    }

    /// Subscribes to the value.
    pub fn track(&self) {
        self.stored.track();
    }

    /// Whether the signal has been disposed of.
    pub fn is_disposed(&self) -> bool {
        self.stored.is_disposed()
    }
}

impl<T: PartialEq + Send + Sync + 'static> Memo<T> {
    /// A value computed from signals and from its previous value.
    pub fn new(work_out: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self {
        let kept = new_memo(Box::new(move |before| {
            Kept(Box::new(work_out(before.map(|kept| value(kept.0.any())))))
        }));
        Self { kept, value: PhantomData }
    }

    /// Reads the value and subscribes to it.
    pub fn with<U>(&self, of: impl FnOnce(&T) -> U) -> U {
        of(value(read_memo(self.kept).0.any()))
    }

    /// Reads the value without subscribing to it.
    pub fn with_untracked<U>(&self, of: impl FnOnce(&T) -> U) -> U {
        of(value(read_memo_untracked(self.kept).0.any()))
    }

    /// The value. Subscribes to it.
    pub fn get(&self) -> T
    where
        T: Clone,
    {
        self.with(T::clone)
    }

    /// The value, without subscribing to it.
    pub fn get_untracked(&self) -> T
    where
        T: Clone,
    {
        self.with_untracked(T::clone)
    }

    /// Subscribes to the value.
    pub fn track(&self) {
        self.kept.track();
    }
}

impl<T: Default + Send + Sync + 'static> Default for RwSignal<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// The traits of a handle, for any type of value: it can be copied, and is compared and printed by identity.
macro_rules! handle {
    ($name:ident, $of:ident) => {
        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        impl<T> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                self.$of == other.$of
            }
        }

        impl<T> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.$of.fmt(f)
            }
        }
    };
}

handle!(RwSignal, stored);
handle!(Memo, kept);
