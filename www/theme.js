// Puts a stored choice of theme on <html> before the first paint; without one the system's preference holds (tokens.css).
try {
  const theme = localStorage.getItem("setscope.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be blocked, as in an embedded page: the system's preference is right then.
}
