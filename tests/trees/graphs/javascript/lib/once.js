function runOnce(f) {
  return f();
}

module.exports = runOnce;
