// What there are leaderboards of, in the order in which they are shown.

export const VARIANTS = ['fourfold', 'fourfold-classic', 'parallel-worlds'];
export const SPEEDS = ['blitz', 'bullet', 'rapid', 'classical', 'correspondence'];
