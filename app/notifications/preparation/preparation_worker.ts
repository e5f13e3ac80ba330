import { parentPort } from 'node:worker_threads'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import {
  type PreparedTexts,
  type VersionTexts,
  prepareTexts,
} from '#app/notifications/preparation/prepare_texts'

/** A thread first posts `ready`, then one result per pair of texts. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'prepared'; prepared: PreparedTexts }
  | { kind: 'refused'; code: 'syntax' | 'tooComplex'; detail: string; details: Details }
  | { kind: 'failed'; message: string }

type Details = Record<string, unknown>

function replyTo(texts: VersionTexts): WorkerMessage {
  try {
    return { kind: 'prepared', prepared: prepareTexts(texts) }
  } catch (error) {
    if (error instanceof TemplateSyntax || error instanceof TemplateTooComplex) {
      const code = error instanceof TemplateSyntax ? 'syntax' : 'tooComplex'
      return { kind: 'refused', code, detail: error.message, details: error.details }
    }
    return { kind: 'failed', message: String(error) }
  }
}

const post = (reply: WorkerMessage) => parentPort?.postMessage(reply)

parentPort?.on('message', (texts: VersionTexts) => post(replyTo(texts)))
post({ kind: 'ready' })
