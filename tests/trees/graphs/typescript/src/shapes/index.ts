export * from './shape';
export { Circle as Round } from './circle';
export { Square } from './square';
