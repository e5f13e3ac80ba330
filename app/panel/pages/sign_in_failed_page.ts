import { escapeHtml, page } from '#core/pages/page'

const TEXTS = {
  en: { title: 'You are not signed in', again: 'Sign in again' },
  cs: { title: 'Nejste přihlášeni', again: 'Přihlásit se znovu' },
}

export type SignInLanguage = keyof typeof TEXTS

export const SIGN_IN_LANGUAGES = Object.keys(TEXTS)

/** @param reason The detail of a problem, which is English */
export function signInFailedPage(reason: string, returnTo: string, language: SignInLanguage) {
  const { title, again } = TEXTS[language]
  const href = `/panel/login?return_to=${encodeURIComponent(returnTo)}`
  return page(
    title,
    `<p lang="en">${escapeHtml(reason)}.</p>
      <p><a href="${escapeHtml(href)}">${again}</a></p>`,
    language
  )
}
