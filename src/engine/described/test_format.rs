//! A format whose records state which item they are, so that tests and fuzzing can reach the engines in any order.

use super::{Described, Entry, Hooks};
use crate::kit::{
    AskedBy, Description, Item, Joins, Known, Part, Piece, PieceOf, Reach, Records, Series,
    Speaker, What,
};
use crate::tokens::OPENAI;
use traceloupe_core::catalog::{self, Card, Evidence};
use traceloupe_core::json::Json;
use traceloupe_core::model::{BlockRole, EventKind, FactKind};

/// Its entry in the catalogue.
pub static CARD: Card = Card::new(catalog::Entry {
    id: "test",
    name: "",
    versions: "",
    found_at: "",
    docs: "",
    evidence: Evidence::Documentation,
});

/// The format.
pub static TEST: Described = Described {
    lists: &["list", "groups.*.list", "inside.**"],
    quiet: &["k", "t", "name"],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&CARD, describe)
};

/// `k` is the kind of record; the other members are named like those of the description.
fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("t"));
    if record.get("run").is_given() {
        out.run(record.get("run"));
    }
    if record.get("source").is_given() {
        out.run_of_source(record.get("source"));
    }
    out.run.origin.copied_from = record.get("copied");
    out.run.origin.turn = record.get("turn");
    out.run.agent.is(record.get("agent"));
    let says = record.get("says");
    if says.is_given() && !out.run.agent.id().is_given() {
        out.run.agent.speaks(Speaker::new(Json::ABSENT, says, record.get("called")));
    }
    out.run.times.order_rows = record.get("k").is("span");
    if record.get("next").is_given() {
        (out.run.reach, out.run.records) = (Reach::File, Records::Next);
    } else if record.get("earlier").is_true() {
        out.run.records = Records::EarlierToo;
    }
    out.run.agent.has_ended = record.get("over").is_given();
    if record.get("over").is_given() {
        out.run.titles.series = Series::Further("Part");
    }
    out.run.about.growing.push((FactKind::Cost, record.get("cost")));
    out.facts(record, &[("City", "facts.City")]);
    out.references(&["ref:"]);
    for (key, value) in record.get("anchors").members() {
        let name = out.keep(&format!("ref:{key}"));
        out.anchor(name, value);
    }
    for late in record.get("late").items() {
        out.after_list();
        out.result(late.get("id"), late.get("value")).again();
    }
    let (id, name) = (record.get("id"), record.get("name"));
    let item = match record.get("k").label().as_ref() {
        "call" => out.call(id, name, record.get("args")),
        "call-of-last" => out.call(id, name, record.get("args")).asked_by(AskedBy::Last),
        "call-again" => out.call(id, name, record.get("args")).again(),
        "call-known" => out.call(id, name, record.get("args")).or_known(),
        "starts" => out.call(id, name, record.get("args")).starts_agent(id, record.get("args.who")),
        "ask" => out.ask(id, name, record.get("args")),
        "result" => out.result(id, record.get("value")).name(name.label()),
        "ran" => out.call(id, name, record.get("args")).part(Part::Result(record.get("value"))),
        "again" => out.result(id, record.get("value")).again(),
        "response" => {
            out.result(id, record.get("value")).or_known();
            out.item(What::End)
        }
        "call-span" => out.item(What::CallSpan).name(name.label()),
        "end" => out.item(What::End).name(name.label()),
        "open" => out.event(EventKind::Agent, name.label()).opens(),
        "box" => {
            let mut item = Item::new(What::Event(EventKind::Agent));
            item.name = name.label();
            out.items.insert(0, item);
            out.encloses = Some(0);
            return;
        }
        "request" => {
            let names = record.get("refs").items().filter_map(|it| Some(out.keep(&it.text()?)));
            let names = names.collect();
            out.item(What::Model)
                .joins(Joins::Nothing)
                .part(Part::Referred(BlockRole::Request, names))
        }
        "update" => out.update(id).exit(record.get("exit")),
        "user" => out.item(What::User).text(record.get("text")),
        "user-again" => out.item(What::User).text(record.get("text")).again(),
        "model" => out.item(What::Model).text(record.get("text")),
        "model-again" => out.item(What::Model).text(record.get("text")).again(),
        "thinking" if record.get("joins").is_given() => {
            out.thinking(record.get("text")).joins(Joins::Id(record.get("joins")))
        }
        "thinking" => out.thinking(record.get("text")),
        "piece" => out.model(vec![Part::Text(record.get("text"))], Joins::Id(id)),
        "named" => out.model(vec![Part::Text(record.get("text"))], Joins::Named(id)),
        "counts" => {
            let usage = OPENAI.read(record.get("usage"));
            out.item(What::Model).joins(Joins::Counts(id)).usage(usage)
        }
        "ask-known" => {
            out.ask(id, name, record.get("args")).or_known();
            out.items.iter_mut().for_each(|item| item.repeats.known = Known::Maybe);
            out.last()
        }
        "text-piece" => out.model(vec![piece(PieceOf::Text, record)], Joins::Neighbours),
        "so-far" => out.model(vec![piece(PieceOf::TextSoFar, record)], Joins::Open),
        "whole" => out.model(vec![piece(PieceOf::TextSoFar, record)], Joins::Nothing),
        "args-piece" => out.ask(id, name, Json::ABSENT).part(piece(PieceOf::Arguments, record)),
        "usage" => {
            out.usage(OPENAI.read(record.get("usage"))).running_total(record.get("total").count())
        }
        "plain" => out.item(What::Span).name(name.label()),
        "span" => out.event(EventKind::Agent, name.label()),
        "asks" => {
            for call in record.get("calls").items() {
                let item = out.call(call.get("id"), call.get("name"), call.get("args"));
                item.if_not_carried_out().span.parent = record.get("span");
            }
            for told in record.get("results").items() {
                let item = out.result(told.get("id"), told.get("value"));
                item.if_not_carried_out().span.parent = record.get("span");
            }
            let item = out.item(What::Model).joins(Joins::Id(record.get("span")));
            item.took(traceloupe_core::model::MaybeNs::new(
                record.get("took").integer().unwrap_or_default(),
            ))
        }
        "llm" => {
            out.item(What::Model).joins(Joins::Nothing).usage(OPENAI.read(record.get("usage")))
        }
        _ => return,
    };
    if record.get("retold").is_given() {
        item.retold();
    }
    item.calls_model = record.get("of-model");
    item.span(record.get("span"), record.get("parent"));
}

/// A piece of the text that `key` names.
fn piece<'a>(of: PieceOf, record: Json<'a>) -> Part<'a> {
    let key = record.get("key").count().unwrap_or_default();
    Part::Piece(Piece { of, key, text: record.get("text") })
}
