import { applyLayout } from '#app/notifications/rendering/layout'
import { escapeHtml } from '#app/notifications/rendering/escape'
import { cutSubject } from '#app/notifications/rendering/subject'
import type Brand from '#app/platform/models/brand'
import { heading, paragraph } from '#resources/auth_emails/parts'

const TEXTS = {
  en: {
    subject: 'Test mail of the brand {brand}',
    lead: 'The mail settings of this brand work.',
    rest: 'This mail was sent with its sender, server and signature. You asked for it in Concierge, and can delete it.',
  },
  cs: {
    subject: 'Zkušební e-mail značky {brand}',
    lead: 'Poštovní nastavení této značky funguje.',
    rest: 'Tento e-mail byl odeslán s jejím odesílatelem, serverem a podpisem. Vyžádali jste si ho v Concierge a můžete ho smazat.',
  },
}

export type TestLanguage = keyof typeof TEXTS

export const TEST_LANGUAGES = Object.keys(TEXTS) as TestLanguage[]

/** What a test mail of a brand says, in its appearance. */
export function testText(brand: Brand, language: TestLanguage) {
  const { lead, rest, subject: pattern } = TEXTS[language]
  const subject = cutSubject(pattern.replace('{brand}', () => brand.name))
  const body = [heading(escapeHtml(lead)), paragraph(escapeHtml(rest))].join('\n')
  return {
    subject,
    html: applyLayout({ brand, locale: language, subject, body }),
    text: `${lead}\n\n${rest}`,
  }
}
