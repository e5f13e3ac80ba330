import {
  UNSUBSCRIBE_TEXTS,
  type UnsubscribeLanguage,
} from '#app/notifications/values/unsubscribe_texts'

export interface UnsubscribeLink {
  url: string
  label: string
}

/** @param locale of the message; its link is English if the service has no text in it */
export function unsubscribeLink(url: string, locale: string): UnsubscribeLink {
  const [language] = locale.split('-', 1)
  const known = Object.hasOwn(UNSUBSCRIBE_TEXTS, language)
  return { url, label: UNSUBSCRIBE_TEXTS[known ? (language as UnsubscribeLanguage) : 'en'].link }
}

/** The text part of a mail. */
export function appendLink(text: string, link: UnsubscribeLink | null): string {
  return link === null ? text : `${text}\n\n${link.label}: ${link.url}`
}
