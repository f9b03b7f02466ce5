export default function applyTax(net) {
  return round(net);
}

function round(net) {
  return net;
}
