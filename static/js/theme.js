// Runs before the first paint, so that a chosen theme never flashes in the other one. Everything else waits for main.js.
try {
  const theme = localStorage.getItem('manifold.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the system's theme it is.
}
