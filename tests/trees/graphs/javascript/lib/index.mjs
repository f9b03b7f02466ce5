export { format as shape, default as draw } from './text.js';
