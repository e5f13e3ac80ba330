/** States which part of an application a problem is about. */
export function notInApplication(what: string, appCode: string) {
  return { detail: `${what} does not exist in application ${appCode}` }
}
