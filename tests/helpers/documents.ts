import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import GithubSlugger from 'github-slugger'
import { projectPath } from '#core/process/root'

/** Files known to Git, and new files that are not ignored. */
export function projectFiles(): string[] {
  const options = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const output = execFileSync('git', options, { cwd: projectPath(), encoding: 'utf8' })
  return output.split('\0').filter((file) => file !== '')
}

export function readProjectFile(file: string): string {
  return readFileSync(join(projectPath(), file), 'utf8')
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf(page: string): Set<string> {
  const slugger = new GithubSlugger()
  const text = page.replaceAll(/^```[^]*?^```/gm, '')
  return new Set([...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, title]) => slugger.slug(title)))
}

/** Paths are relative to the project root. */
export function relativeLinks(file: string, page: string) {
  const text = page.replaceAll(/^```[^]*?^```/gm, '')
  const targets = [...text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, target]) => target)
  return targets.map((target) => {
    const [path, anchor] = target.split('#')
    return { target, path: path === '' ? file : normalize(join(dirname(file), path)), anchor }
  })
}
