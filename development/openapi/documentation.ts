import ts from 'typescript'

export interface Documentation {
  summary: string
  description?: string
}

/** References to the behaviour pages, such as `(checks.md#evaluation-order)`: for readers of the code only. */
const REFERENCES = /\s*\((?:[a-z-]+\.md#[a-z\d-]+(?:, )?)+\)/g

/**
 * The texts from the comment of a controller's method: the first sentence is the summary, the rest
 * the description.
 *
 * @throws Error when the method has no comment
 */
export function documentationOf(method: ts.MethodDeclaration): Documentation {
  const [summary, ...rest] = sentencesOf(method)
  if (!summary) throw new Error('It has no comment; the first sentence becomes the summary')
  return { summary: summary.replace(/\.$/, ''), description: rest.join(' ') || undefined }
}

/** Sentences end in a full stop and a blank; the full stop of `4.3` does not. */
function sentencesOf(node: ts.Node): string[] {
  return commentOf(node)
    .replaceAll(REFERENCES, '')
    .split(/(?<=[.!?]) (?=[A-Z`])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  return (ts.getTextOfJSDocComment(comment?.comment) ?? '').replaceAll(/\s+/g, ' ').trim()
}
