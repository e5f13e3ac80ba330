import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** See no-color.org. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stderr) {
  const wanted = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
  return wanted ? styleText(style, text, { validateStream: false }) : text
}

/** Writes to stderr; stdout is for data. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function warn(text: string): void {
  say(`${styled('yellow', 'warning:')} ${text}`)
}
