/** Text from other servers is shown and recorded, so it is kept short and on one line. */
export function shortLine(text: string, maxLength = 300): string {
  return text
    .replace(/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .replace(/\p{Cs}$/u, '')
}
