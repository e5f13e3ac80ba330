/**
 * Preloaded into a service process: SIGUSR2 blocks its event loop forever, like code that never
 * returns. It sleeps, because a loop would take a core from the tests beside it.
 */
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
