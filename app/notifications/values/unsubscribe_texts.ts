/** `type` and `application` are HTML. */
interface UnsubscribeTexts {
  /** In mails */
  link: string
  title: string
  question: (type: string, application: string) => string
  button: string
  doneTitle: string
  done: (type: string, application: string) => string
}

const en: UnsubscribeTexts = {
  link: 'Unsubscribe',
  title: 'Unsubscribe',
  question: (type, application) =>
    `Do you want to stop receiving ${type} e-mails from ${application}?`,
  button: 'Unsubscribe',
  doneTitle: 'You are unsubscribed',
  done: (type, application) =>
    `You will no longer receive ${type} e-mails from ${application}. You can turn them on again in your notification preferences.`,
}

const cs: UnsubscribeTexts = {
  link: 'Odhlásit odběr',
  title: 'Odhlášení odběru',
  question: (type, application) =>
    `Nechcete už dostávat e-maily „${type}“ z aplikace ${application}?`,
  button: 'Odhlásit',
  doneTitle: 'Odběr je odhlášen',
  done: (type, application) =>
    `E-maily „${type}“ z aplikace ${application} už vám nebudou chodit. Znovu si je můžete zapnout v nastavení oznámení.`,
}

export const UNSUBSCRIBE_TEXTS = { en, cs }

export type UnsubscribeLanguage = keyof typeof UNSUBSCRIBE_TEXTS

export const UNSUBSCRIBE_LANGUAGES = Object.keys(UNSUBSCRIBE_TEXTS) as UnsubscribeLanguage[]
