const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether the `hostname` of a parsed URL is this machine. */
export const isLoopbackHost = (hostname: string) => LOOPBACK.test(hostname)
