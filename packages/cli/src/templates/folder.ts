import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { readDocument, readList } from '../document.ts'
import { usageFailure } from '../errors.ts'
import type {
  Sample,
  TemplateMetadata,
  TemplateTexts,
  Texts,
  TypeMetadata,
  TypeTexts,
  Version,
} from './texts.ts'

const SUBJECT = '.subject.txt'
const BODY = '.html'
const SAMPLES = 'samples.yaml'

/**
 * Writes `<type>/<template>/<locale>.html` and the files beside it.
 *
 * @returns the number of language versions
 */
export function writeFolder(folder: string, { types }: Texts): number {
  let count = 0
  for (const [type, { about, samples, templates }] of types) {
    const typeFolder = join(folder, fileName(type))
    writeFile(typeFolder, 'type.yaml', stringify(about))
    if (samples?.length) writeFile(typeFolder, SAMPLES, stringify(samples))
    for (const [key, template] of templates) {
      const templateFolder = join(typeFolder, fileName(key))
      writeFile(templateFolder, 'template.yaml', stringify(template.about))
      for (const [locale, { subjectTemplate, bodyTemplate }] of template.versions) {
        writeFile(templateFolder, `${fileName(locale)}${SUBJECT}`, `${subjectTemplate}\n`)
        writeFile(templateFolder, `${fileName(locale)}${BODY}`, bodyTemplate)
        count++
      }
    }
  }
  return count
}

/** @throws Failure */
export function readFolder(folder: string): Texts {
  const types = entriesOf(folder).filter((entry) => entry.isDirectory())
  if (types.length === 0) {
    throw usageFailure(`${folder} contains no types`, 'Start with: concierge templates pull')
  }
  return { types: new Map(types.map(({ name }) => [code(name), readType(join(folder, name))])) }
}

function readType(folder: string): TypeTexts {
  const entries = entriesOf(folder)
  const templates = entries.filter((entry) => entry.isDirectory())
  const hasSamples = entries.some(({ name }) => name === SAMPLES)
  return {
    about: readDocument(join(folder, 'type.yaml')) as unknown as TypeMetadata,
    ...(hasSamples && { samples: readList(join(folder, SAMPLES), 'samples') as Sample[] }),
    templates: new Map(templates.map(({ name }) => [code(name), readTemplate(join(folder, name))])),
  }
}

function readTemplate(folder: string): TemplateTexts {
  const bodies = entriesOf(folder).filter(({ name }) => name.endsWith(BODY))
  const about = readDocument(join(folder, 'template.yaml')) as unknown as TemplateMetadata
  return { about, versions: new Map(bodies.map(({ name }) => readVersion(folder, name))) }
}

function readVersion(folder: string, bodyFile: string): [locale: string, version: Version] {
  const name = bodyFile.slice(0, -BODY.length)
  const subject = readFile(join(folder, `${name}${SUBJECT}`)).replace(/\r?\n$/, '')
  return [code(name), { subjectTemplate: subject, bodyTemplate: readFile(join(folder, bodyFile)) }]
}

function writeFile(folder: string, name: string, content: string) {
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), content)
  } catch (error) {
    throw usageFailure(
      `${join(folder, name)} cannot be written: ${(error as NodeJS.ErrnoException).code}`
    )
  }
}

function readFile(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageFailure(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.'))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    throw usageFailure(`${folder} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Encodes slashes and colons. A code from the service must not lead out of the folder. */
function fileName(text: string): string {
  if (/^[a-z0-9]/i.test(text)) return encodeURIComponent(text)
  throw usageFailure('The service returned a code that cannot be a file name')
}

function code(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    throw usageFailure(`${name} is not an encoded code`)
  }
}
