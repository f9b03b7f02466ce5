export const digits = 2;

export default wrap((net) => net);

function wrap(f) {
  return f;
}
