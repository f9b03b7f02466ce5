import tax from './lib/tax.js';
import { default as total } from './lib/tax.js';
import Drive, { Engine } from './lib/engine.js';
import round from './lib/round.js';

export function sum(net) {
  return tax(net) + total(net);
}

export function drive() {
  const motor = new Drive();
  const engine = Engine.make();
  return motor.size() + round(1);
}
