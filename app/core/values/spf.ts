/** Mechanisms of SPF records (RFC 7208) that name servers; `all` would name every one. */
const MECHANISM = /^(?:include|exists|a|mx|ip4|ip6):[a-z0-9_.:/%{}-]{1,253}$/i

/** Whether a text is a list of mechanisms, separated by spaces. The empty list is one. */
export const areSpfMechanisms = (text: string) =>
  text
    .split(' ')
    .filter((each) => each !== '')
    .every((each) => MECHANISM.test(each))
