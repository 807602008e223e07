//! How many legal moves a second are found, next to a fast generator of ordinary chess in the same run: of Fourfold by
//! [`Position::perft`], which uses what it knew one ply earlier, and by the plain recursion that the other generator
//! goes through, where only the last ply is counted in bulk; of Parallel Worlds first moves, and whole turns.

use std::hint::black_box;

use cozy_chess::Board;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use manifold_rules::fourfold::{Move, PieceMoves, Position};
use manifold_rules::parallel;

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

fn plain_perft(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_legal();
    }
    let mut leaves = 0;
    position.for_each_legal(|PieceMoves { role, from, to: targets }| {
        for to in targets {
            leaves += plain_perft(&position.after_legal(role, Move { from, to }), depth - 1);
        }
    });
    leaves
}

/// The start, and positions from random games, of which the last one has few pieces.
const WORLDS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq|KQkq - 0 1",
    "r7/B4k2/1P5p/1p3Pp1/1b3q2/1P1p2N1/8/R2K4|8/b2Qp3/4P3/1r1p4/2R2n2/4p3/P3p3/P3N3|2q1k1r1/3p4/1pp2p2/r7/BKP2PPp/4P1b1/b2B1R2/8 b -|- - 0 57",
    "8/4k3/3R4/8/8/3r4/1r2K3/6R1|8/8/8/7p/2P5/2r5/8/8|r7/1Rp2k2/8/8/5P2/1R5K/4P1P1/8 w -|- - 1 12",
];

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, start, depth) in
        [("fourfold", Position::full_army(), 4), ("fourfold-classic", Position::classic(), 4)]
    {
        group.throughput(Throughput::Elements(start.perft(depth)));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(&start).perft(depth)));
        group.bench_function(format!("{name}, plain"), |bencher| {
            bencher.iter(|| plain_perft(black_box(&start), depth));
        });
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
    let worlds = WORLDS.map(|fen| fen.parse::<parallel::Position>().expect("a position"));
    let first_moves = |worlds: &[parallel::Position]| {
        worlds.iter().map(|position| position.first_moves().len() as u64).sum::<u64>()
    };
    group.throughput(Throughput::Elements(first_moves(&worlds)));
    group.bench_function("parallel-worlds, first moves", |bencher| {
        bencher.iter(|| first_moves(black_box(&worlds)));
    });
    let turns = |worlds: &[parallel::Position]| worlds.iter().map(|one| one.perft(1)).sum::<u64>();
    group.throughput(Throughput::Elements(turns(&worlds)));
    group.bench_function("parallel-worlds, turns", |bencher| {
        bencher.iter(|| turns(black_box(&worlds)));
    });
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
