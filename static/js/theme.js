// Runs before the first paint, so that a chosen theme or look never flashes in the other one. Everything else waits for main.js.
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem('manifold.theme');
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  const prefs = JSON.parse(localStorage.getItem('manifold.prefs') ?? '{}');
  for (const what of ['boards', 'pieces', 'motion']) if (typeof prefs[what] === 'string') dataset[what] = prefs[what];
} catch {
  // Storage may be forbidden; then the system's theme it is.
}
