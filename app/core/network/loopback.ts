const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

export const isLoopbackHost = (hostname: string) => LOOPBACK.test(hostname)
