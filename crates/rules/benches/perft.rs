//! Leaf nodes per second of perft, with counting at the last ply but one, next to a fast generator of ordinary chess
//! that does the same.

use std::hint::black_box;

use cozy_chess::Board;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use manifold_rules::fourfold::Position;

/// An ordinary middle game, much used for perft.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn chess_perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for played in moves {
                let mut next = board.clone();
                next.play_unchecked(played);
                leaves += chess_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, start, depth) in
        [("fourfold", Position::full_army(), 4), ("fourfold-classic", Position::classic(), 4)]
    {
        group.throughput(Throughput::Elements(start.perft(depth)));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(&start).perft(depth)));
    }
    let kiwipete: Board = KIWIPETE.parse().expect("a well-known position");
    for (name, start, depth) in
        [("cozy-chess start", Board::default(), 5), ("cozy-chess kiwipete", kiwipete, 4)]
    {
        group.throughput(Throughput::Elements(chess_perft(&start, depth)));
        group.bench_function(name, |bencher| {
            bencher.iter(|| chess_perft(black_box(&start), depth));
        });
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
