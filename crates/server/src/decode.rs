//! JSON that comes from outside, and what is wrong with it in our own words.

use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_json::{Map, Value};

/// So many fields are looked at to find out which one is wrong: no message has more.
const FIELDS: usize = 16;
/// A field's name that is longer is none of ours, and is not repeated.
const NAME: usize = 40;

/// What the text says, or the sentence that tells its sender what is wrong with it.
pub fn decode<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| why::<T>(text, &error))
}

fn why<T: DeserializeOwned>(text: &[u8], error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Io | Category::Syntax | Category::Eof => {
            let (line, column) = (error.line(), error.column());
            return format!("This is not JSON: see line {line}, column {column}.");
        }
        Category::Data => {}
    }
    let said = without_place(error);
    if let Some(name) = quoted(&said, "missing field") {
        return format!("The field {name} is missing.");
    }
    if let Some(name) = quoted(&said, "duplicate field") {
        return format!("The field {name} is there twice.");
    }
    if let Some(name) = quoted(&said, "unknown field") {
        return format!("There is no field {name} here.");
    }
    let Ok(Value::Object(fields)) = serde_json::from_slice(text) else {
        return "This is JSON, but no object with fields.".to_owned();
    };
    let complaint = |fields: Map<String, Value>| {
        serde_json::from_value::<T>(Value::Object(fields)).err().map(|error| error.to_string())
    };
    // Without the field that is wrong there is another complaint, or none.
    let with_all = complaint(fields.clone());
    let is_wrong = |name: &&String| {
        let mut rest = fields.clone();
        rest.remove(*name);
        complaint(rest) != with_all
    };
    // Without its kind a message is another one, and the id is missed before anything else is looked at: these two last.
    let mut names: Vec<&String> =
        fields.keys().filter(|name| name.len() <= NAME).take(FIELDS).collect();
    names.sort_by_key(|name| ["t", "id"].iter().position(|late| late == name));
    let wrong = names.into_iter().find(is_wrong);
    wrong.map_or_else(
        || "A field has a value that it cannot have.".to_owned(),
        |name| format!("The field {name} has a value that it cannot have."),
    )
}

/// What is wrong, without where.
fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.split_once(" at line ").map_or(said.clone(), |(what, _)| what.to_owned())
}

/// The short name that follows `what` in backticks.
fn quoted<'a>(said: &'a str, what: &str) -> Option<&'a str> {
    let (name, _) = said.strip_prefix(what)?.strip_prefix(" `")?.split_once('`')?;
    (name.len() <= NAME).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ws::protocol::client::ClientMessage;

    #[test]
    fn what_is_wrong_is_said_in_our_own_words() {
        let game = "\"game\":\"0192d3a4-0000-7000-8000-000000000000\"";
        let check = |text: &str, expected: &str| {
            let said = ClientMessage::read(text).expect_err(text);
            assert_eq!(said, expected, "{text}");
        };
        check("", "This is not JSON: see line 1, column 0.");
        check("{\"t\":}", "This is not JSON: see line 1, column 6.");
        check("[]", "This is JSON, but no object with fields.");
        check("7", "This is JSON, but no object with fields.");
        check("{}", "The field id is missing.");
        check("{\"id\":\"1\"}", "The field t is missing.");
        check("{\"t\":\"fly\",\"id\":\"1\"}", "The field t has a value that it cannot have.");
        // The number of a kind is not its name.
        for number in 0..30 {
            let text = format!(
                "{{\"t\":{number},\"id\":\"1\",{game},\"ply\":0,\"move\":\"x\",\"text\":\"x\",\"offer\":1}}"
            );
            let said = ClientMessage::read(&text).expect_err(&text);
            assert!(said.contains("field"), "{said}");
        }
        check(
            "{\"t\":7,\"id\":\"1\",\"game\":\"0192d3a4-0000-7000-8000-000000000000\"}",
            "The field t has a value that it cannot have.",
        );
        check("{\"t\":\"ping\",\"id\":7}", "The field id has a value that it cannot have.");
        check("{\"t\":\"ping\",\"id\":\"a b\"}", "The field id has a value that it cannot have.");
        check("{\"t\":\"ping\",\"id\":\"1\",\"id\":\"2\"}", "The field id is there twice.");
        check("{\"t\":\"resign\",\"id\":\"1\"}", "The field game is missing.");
        check(
            "{\"t\":\"resign\",\"id\":\"1\",\"game\":\"x\"}",
            "The field game has a value that it cannot have.",
        );
        let text = format!("{{\"t\":\"chat\",\"id\":\"1\",{game},\"text\":7}}");
        check(&text, "The field text has a value that it cannot have.");
        let text =
            format!("{{\"t\":\"move\",\"id\":\"1\",{game},\"ply\":-1,\"move\":\"a1@00a1@01\"}}");
        check(&text, "The field ply has a value that it cannot have.");
        let text = format!("{{\"t\":\"move\",\"id\":\"1\",{game},\"ply\":0,\"move\":[]}}");
        check(&text, "The field move has a value that it cannot have.");
    }

    #[test]
    fn a_long_name_is_not_repeated_and_many_are_not_looked_at() {
        let many: String = (0..2000).map(|n| format!(",\"f{n}\":0")).collect();
        let text = format!("{{\"t\":\"ping\"{many},\"id\":7}}");
        assert!(decode::<ClientMessage>(text.as_bytes()).is_err());
        let long = format!("{{\"t\":\"ping\",\"id\":\"1\",\"{}\":7}}", "x".repeat(7000));
        if let Err(said) = decode::<ClientMessage>(long.as_bytes()) {
            assert!(said.len() < 100, "{said}");
        }
    }
}
