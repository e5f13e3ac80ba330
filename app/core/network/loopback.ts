const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackHost = (hostname: string) => LOOPBACK.test(hostname)

/** An address that listens on all interfaces is reached on the loopback. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}
