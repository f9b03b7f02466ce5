import { shape, draw } from './lib/index.mjs';
import * as all from './lib';

export function show() {
  shape('a');
  return draw('b');
}

export function again(draw) {
  all.shape('c');
  return draw('d');
}
