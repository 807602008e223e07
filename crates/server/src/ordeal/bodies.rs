//! Random and mutated HTTP bodies against the real decoders and all that reads what comes out of them.

use super::frames::mutate;
use super::{Figures, Random};
use crate::http::bodies::BODIES;

/// Good ones, to begin from.
const GOOD: [&str; 17] = [
    r#"{"name":"ada","password":"tesseract-rook-17"}"#,
    r#"{"old":"tesseract-rook-17","new":"hypercube-99"}"#,
    r#"{"name":"my bot"}"#,
    r#"{"variant":"fourfold","color":"random","time":{"base_ms":180000,"increment_ms":2000}}"#,
    r#"{"variant":"parallel-worlds","color":"white","time":null}"#,
    r#"{"level":8,"variant":"fourfold-classic","color":"black"}"#,
    r#"{"variant":"fourfold","fen":"4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1","time_ms":100}"#,
    r#"{"variant":"fourfold","color":"white","rated":false,"fen":null,"opponent":"bob","id":"c-1"}"#,
    r#"{"variant":"fourfold","fen":"4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1","turn":"a1@00a1@01","from":"d1@00","to":"c2@01"}"#,
    r#"{"variant":"parallel-worlds","piece":"N","square":"e2@1"}"#,
    r#"{"variant":"fourfold","fen":"4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1","turn":"","square":"c2@01"}"#,
    r#"{"line":["d1@00c2@01","b3@01b2@01"]}"#,
    r#"{"game":"0192d3a4-0000-7000-8000-000000000000","ply":17}"#,
    r#"{"name":"\u0000\ud83d\ude00<script>","password":"        "}"#,
    r#"{"variant":"fourfold","fen":""}"#,
    r"{}",
    r"[1e999,-0,null,[[[[[[]]]]]]]",
];

#[test]
fn no_body_makes_a_decoder_panic() {
    let mut figures = Figures::new("HTTP bodies", 20_000);
    let mut random = Random::new(2);
    while figures.goes_on() {
        let mut text = random.pick(&GOOD).as_bytes().to_vec();
        for _ in 0..random.below(6) {
            mutate(&mut text, &GOOD, &mut random);
        }
        // More is refused before it is read.
        text.truncate(16 * 1024);
        let (kind, read) = *random.pick(BODIES);
        match read(&text) {
            Ok(()) => figures.step(kind),
            Err(why) => {
                assert!((10..200).contains(&why.len()), "{why}");
                figures.step("refused");
            }
        }
    }
    figures.tell();
    for (kind, _) in BODIES {
        assert!(figures.count(kind) > 0, "no {kind} was ever read");
    }
}
