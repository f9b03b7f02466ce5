export function format(text) {
  const trim = (inner) => inner.trim();
  return trim(text);
}

export function trim(text) {
  return format(text);
}

export default function render(text) {
  return trim(text);
}
