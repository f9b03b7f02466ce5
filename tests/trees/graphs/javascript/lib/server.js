const { Queue, format: show } = require('./queue');
const queues = require('./queue');
const fs = require('fs');

const pending = new Queue();

function handle(request) {
  pending.push(request);
  show(request);
  queues.format(request);
  fs.format(request);
  request.push(1);
}

function shadow(queues) {
  return queues.format('x');
}

function local(show) {
  return show('x');
}

async function start() {
  const stack = new queues.Stack();
  stack.push(1);
  [1].map((n) => handle(n));
  process.size();
}

exports.start = start;
