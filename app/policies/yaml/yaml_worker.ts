import { Problem } from '#core/exceptions/problem'
import { parseYaml, writeYaml } from '#app/policies/yaml/yaml_text'

/** What the process is to do. */
export type YamlTask = { parse: string } | { write: unknown }

export type YamlReply =
  { result: unknown } | { refused: { code: string; detail: string; details: object } }

function replyTo(task: YamlTask): YamlReply {
  try {
    return { result: 'parse' in task ? parseYaml(task.parse) : writeYaml(task.write) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { kind, message, details } = error
    return { refused: { code: kind.code, detail: message, details } }
  }
}

process.once('message', (task: YamlTask) => process.send!(replyTo(task)))
