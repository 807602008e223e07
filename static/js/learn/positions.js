// The positions that lessons talk about. What is legal in them, and why not, the server says.

/** Is it legal? A position, and a move to judge. @type {{fen: string, from: string, to: string}[]} */
export const DRILLS = [
  { fen: '4/4/4/R1K1|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'a1@00', to: 'a1@01' },
  { fen: '4/4/4/R1K1|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'a1@00', to: 'b1@01' },
  { fen: '4/4/1B2/3K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'b2@00', to: 'c2@01' },
  { fen: '4/4/1B2/3K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'b2@00', to: 'd4@00' },
  { fen: '4/4/1B2/3K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'b2@00', to: 'c3@01' },
  { fen: '4/4/4/B2K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'a1@00', to: 'c1@01' },
  { fen: '4/4/1Q2/3K|4/4/4/4|4/4/4/4|k3/4/4/4 w 0 1', from: 'b2@00', to: 'c3@11' },
  { fen: '4/4/1Q2/3K|4/4/4/4|4/4/4/4|k3/4/4/4 w 0 1', from: 'b2@00', to: 'b4@10' },
  { fen: '4/4/4/1N1K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'b1@00', to: 'b3@10' },
  { fen: '4/4/4/1N1K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'b1@00', to: 'b1@11' },
  { fen: '4/4/P3/3K|4/4/4/4|4/r3/4/4|3k/4/4/4 w 0 1', from: 'a2@00', to: 'a3@01' },
  { fen: '4/4/P3/3K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'a2@00', to: 'a2@01' },
  { fen: '4/4/P3/R2K|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1', from: 'a1@00', to: 'a4@00' },
  { fen: '4/4/4/K3|4/4/4/4|4/4/4/1r2|3k/4/4/4 w 0 1', from: 'a1@00', to: 'b1@00' },
];

/** Who attacks it? Black is to move, and one black piece can take what is marked, from the other side of W. @type {{fen: string, target: string}[]} */
export const THREATS = [
  { fen: '4/n3/4/4|4/r3/r3/1q2|1K2/4/4/4|3k/R3/4/4 b 0 30', target: 'a3@11' },
  { fen: '4/4/b3/4|1b2/4/4/3r|4/n3/4/4|B2k/4/3K/4 b 0 30', target: 'a4@11' },
  { fen: '2r1/3k/3b/4|4/4/2q1/4|4/4/K3/4|4/4/4/1Q1n b 0 30', target: 'b1@11' },
  { fen: '3k/4/4/4|4/n3/3K/2R1|1r2/4/4/4|4/b3/4/n3 b 0 30', target: 'c1@10' },
  { fen: '4/4/1K2/4|n3/4/N3/4|1b2/4/4/3k|4/p3/4/3r b 0 30', target: 'a2@10' },
  { fen: '1R2/4/3p/4|4/3r/K3/1r1q|4/4/4/4|1k2/4/4/4 b 0 30', target: 'b4@00' },
];

/** How a game ends: a position one move before it, and that move. @type {{name: string, fen: string, move: string}[]} */
export const ENDS = [
  { name: 'checkmate', fen: '1k2/4/4/4|4/4/4/2Q1|4/4/2K1/4|4/4/Q3/4 w 0 30', move: 'a2@11b3@00' },
  { name: 'stalemate', fen: '4/4/4/k3|4/Q3/4/2R1|4/4/4/3K|4/4/4/2Q1 w 0 30', move: 'a3@10a3@01' },
  { name: 'bare_kings', fen: '4/4/1K2/4|4/4/4/4|4/4/1n2/4|4/4/4/3k w 0 60', move: 'b2@00b2@01' },
  { name: 'hundred_moves', fen: '4/4/1K2/R3|4/4/4/4|4/3k/4/4|4/4/4/3n w 99 90', move: 'a1@00a1@01' },
];

/** Where one tries what one has learned: White's rook goes along W. */
export const TRY = { variant: 'fourfold-classic', move: 'a1@00a1@01', level: 1 };

/** Parallel Worlds, idea by idea: a position, and what is to be done in it. @type {{name: string, fen: string, selected?: string}[]} */
export const WORLDS = [
  { name: 'levels', fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq - 0 1' },
  { name: 'turn', fen: 'r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq|KQkq - 2 2' },
  { name: 'crossing', fen: '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3|8/8/4p3/8/8/2N5/8/8|4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w -|- - 0 9', selected: 'c3@2' },
  { name: 'vertical', fen: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3|8/8/8/8/8/8/8/8|4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w -|- - 0 9', selected: 'a1@1' },
  { name: 'king', fen: '4k3/ppp2ppp/8/8/4N3/8/PPP2PPP/4R1K1|8/8/8/8/8/8/8/8|4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w -|- - 0 12' },
];
