/** Pages that require trusted types allow the policy `concierge-inbox`, or do without HTML. */

interface Rules {
  createHTML(text: string): string
  createScriptURL(text: string): string
}
declare const trustedTypes: { createPolicy(name: string, rules: Rules): Rules } | undefined

const AS_IT_IS: Rules = {
  createHTML: (text) => text,
  createScriptURL: (text) => text,
}

let rules: Rules | undefined

const policy = () =>
  (rules ??=
    typeof trustedTypes === 'undefined'
      ? AS_IT_IS
      : trustedTypes.createPolicy('concierge-inbox', AS_IT_IS))

/** For text that is only parsed, never inserted. @throws TypeError if the page forbids it */
export const trustedHtml = (text: string): string => policy().createHTML(text)

/** For a path that the page has given. @throws TypeError if the page forbids it */
export const trustedScript = (path: string): string => policy().createScriptURL(path)
