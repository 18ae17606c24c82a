//! The trees of tables: the places of their rows, and the bytes of a row, including those on other pages.

use super::pages::{HEADER_BYTES, ReadSeek, u16_at, u32_at};
use super::record::{Row, header_len, len_up_to, varint};
use super::{Database, SqliteFault, Table};

/// The kinds of pages that tables consist of.
const INTERIOR: u8 = 5;
const LEAF: u8 = 13;

/// The place of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPlace {
    page: u32,
    cell: u16,
}

/// Where the tree's part of a page begins: the first page begins with the header of the file.
fn start_of(page: u32) -> usize {
    if page == 1 { HEADER_BYTES } else { 0 }
}

impl Database {
    /// The places of the rows of a table, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the file cannot be read. Broken pages are left out.
    pub fn places(
        &mut self,
        file: &mut dyn ReadSeek,
        table: &Table,
    ) -> Result<Vec<RowPlace>, SqliteFault> {
        let (mut places, mut waiting, mut n_visited) = (Vec::new(), vec![table.root], 0);
        while let Some(number) = waiting.pop() {
            n_visited += 1;
            let Some(page) = self.pages.page(file, number)? else {
                self.n_broken += 1;
                continue;
            };
            let start = start_of(number);
            let n_cells = u16_at(&page, start + 3).unwrap_or(0);
            match page.get(start).copied() {
                Some(LEAF) => {
                    places.extend((0..n_cells).map(|cell| RowPlace { page: number, cell }));
                }
                Some(INTERIOR) => {
                    let cells = (0..n_cells).map(|cell| cell_at(&page, start + 12, cell));
                    let below = cells.filter_map(|at| u32_at(&page, at?));
                    let mut below: Vec<u32> = below.chain(u32_at(&page, start + 8)).collect();
                    // A tree has no more pages than the file, unless it is broken.
                    if n_visited + waiting.len() + below.len() > self.pages.n_pages as usize {
                        self.n_broken += 1;
                        break;
                    }
                    below.reverse();
                    waiting.append(&mut below);
                }
                _ => self.n_broken += 1,
            }
        }
        Ok(places)
    }

    /// Reads a row up to and including a column, given by its index ([`Table::column`]). `None` if the row is broken.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn row(
        &mut self,
        file: &mut dyn ReadSeek,
        place: RowPlace,
        last_column: usize,
    ) -> Result<Option<Row>, SqliteFault> {
        let row = match self.left_bytes {
            0 => None,
            _ => self.read_row(file, place, last_column)?,
        };
        self.n_broken += u64::from(row.is_none());
        Ok(row)
    }

    fn read_row(
        &mut self,
        file: &mut dyn ReadSeek,
        place: RowPlace,
        last_column: usize,
    ) -> Result<Option<Row>, SqliteFault> {
        let Some(page) = self.pages.page(file, place.page)? else { return Ok(None) };
        let usable = self.pages.usable_bytes;
        let Some(cell) = cell_at(&page, start_of(place.page) + 8, place.cell) else {
            return Ok(None);
        };
        let cell = page.get(cell..usable).unwrap_or_default();
        let Some((len_bytes, len)) = varint(cell) else { return Ok(None) };
        let rest = cell.get(len..).unwrap_or_default();
        let Some((rowid, len)) = varint(rest) else { return Ok(None) };
        let rest = rest.get(len..).unwrap_or_default();
        let Ok(whole) = usize::try_from(len_bytes) else { return Ok(None) };
        let n_local = local_len(whole, usable);
        if len_bytes > self.pages.file_bytes() {
            return Ok(None);
        }
        let Some(record) = rest.get(..n_local) else { return Ok(None) };
        let mut row = Row {
            rowid: rowid.cast_signed(),
            encoding: self.encoding,
            record: record.to_vec(),
            len_bytes,
        };
        if n_local < whole {
            // The header comes first, because it states how far the columns reach.
            let mut next = u32_at(rest, n_local).unwrap_or(0);
            let wanted = header_len(&row.record).unwrap_or(whole).min(whole);
            let is_whole = self.read_on(file, &mut row.record, wanted, whole, &mut next)?;
            let wanted = len_up_to(&row.record, last_column).unwrap_or(whole).min(whole);
            if !is_whole || !self.read_on(file, &mut row.record, wanted, whole, &mut next)? {
                return Ok(None);
            }
        }
        self.left_bytes = self.left_bytes.saturating_sub(row.record.len() as u64);
        Ok(Some(row))
    }

    /// Reads the overflow pages of a record until it has this many bytes. Returns whether it has them.
    fn read_on(
        &mut self,
        file: &mut dyn ReadSeek,
        record: &mut Vec<u8>,
        wanted: usize,
        whole: usize,
        next: &mut u32,
    ) -> Result<bool, SqliteFault> {
        while record.len() < wanted {
            let Some(page) = self.pages.page(file, *next)? else { return Ok(false) };
            let n = (whole - record.len()).min(self.pages.usable_bytes - 4);
            let Some(bytes) = page.get(4..4 + n) else { return Ok(false) };
            record.extend_from_slice(bytes);
            *next = u32_at(&page, 0).unwrap_or(0);
        }
        Ok(true)
    }
}

/// Where a cell of a page begins. `list` is the offset of the list of the page's cells.
fn cell_at(page: &[u8], list: usize, cell: u16) -> Option<usize> {
    u16_at(page, list + 2 * usize::from(cell)).map(usize::from)
}

/// How much of a record is on its own page.
fn local_len(whole: usize, usable: usize) -> usize {
    let most = usable - 35;
    if whole <= most {
        return whole;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let fitting = least + (whole - least) % (usable - 4);
    if fitting <= most { fitting } else { least }
}
