/**
 * Preloaded into a service process: SIGUSR2 blocks its event loop forever, like code that never
 * returns.
 */
process.on('SIGUSR2', () => {
  for (;;);
})
