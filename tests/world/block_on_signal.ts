/**
 * Loaded into a process of the service: SIGUSR2 makes its event loop stand still for good, like
 * code that does not return. Whatever else is sent to the process waits.
 */
process.on('SIGUSR2', () => {
  for (;;);
})
