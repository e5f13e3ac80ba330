import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { LineWriter } from '#app/checks/decision_log/line_writer'

const TURNS = 120
const LINES = 50
const LINE = 'x'.repeat(2_000)

test.group('Decision log in a file', () => {
  test('has every line of a process that is never idle', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'concierge-lines-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'decisions.log')
    const writer = new LineWriter(file)
    // Together more than may wait for a disk.
    for (let turn = 0; turn < TURNS; turn++) {
      for (let nth = 0; nth < LINES; nth++) writer.write(`user ${turn}`, () => LINE)
      for (const end = performance.now() + 1; performance.now() < end;) continue
      await nextTurn()
    }
    await writer.end()
    const lines = readFileSync(file, 'utf8').split('\n')
    assert.equal(writer.lost, 0)
    assert.equal(statSync(file).mode & 0o007, 0)
    assert.equal(lines.length - 1, TURNS * LINES)
    assert.isTrue(lines.slice(0, -1).every((line) => line === LINE))
  })

  test('has the lines of others although most are about one user', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'concierge-lines-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'decisions.log')
    const writer = new LineWriter(file)
    for (let turn = 0; turn < TURNS; turn++) {
      // More than may wait, however quick the disk is.
      for (let nth = 0; nth < 60 * LINES; nth++) {
        writer.write('attacker', () => LINE)
        if (nth === 7 * LINES) writer.write('other', () => `other ${turn}`)
      }
      await nextTurn()
    }
    await writer.end()
    const lines = readFileSync(file, 'utf8').split('\n')
    assert.isAbove(writer.lost, 0)
    assert.lengthOf(
      lines.filter((line) => line.startsWith('other')),
      TURNS
    )
  })

  test('leaves room for others, however many users have too many lines', async ({
    assert,
    cleanup,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'concierge-lines-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const writer = new LineWriter(join(folder, 'decisions.log'))
    for (let user = 0; user < 10; user++) {
      // In one turn of the event loop, so that nothing is written meanwhile.
      for (let nth = 0; nth < 2_000; nth++) writer.write(`attacker ${user}`, () => LINE)
    }
    const { lost } = writer
    assert.isAbove(lost, 0)
    for (let user = 0; user < 100; user++) writer.write(`other ${user}`, () => LINE)
    assert.equal(writer.lost, lost)
    await writer.end()
  })

  test('limits the lines about one user, and does not format those that are lost', async ({
    assert,
    cleanup,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'concierge-lines-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'decisions.log')
    const writer = new LineWriter(file)
    const line = '€'.repeat(700)
    const bytes = Buffer.byteLength(line)
    let formatted = 0
    const format = () => {
      formatted++
      return line
    }
    const start = performance.now()
    for (let nth = 0; nth < 10_000; nth++) {
      writer.write('somebody', format)
      // Nothing waits for the disk.
      if (nth % LINES === 0) await nextTurn()
    }
    const seconds = (performance.now() - start) / 1_000
    await writer.end()
    const written = readFileSync(file, 'utf8').split('\n').length - 1
    assert.equal(writer.lost + written, 10_000)
    assert.equal(formatted, written)
    assert.isAtMost(written * bytes, (2 + 1.5 * seconds) * 1_048_576 + bytes)
  })

  test('counts each line that is lost', async ({ assert }) => {
    const writer = new LineWriter('/dev/full')
    for (let nth = 0; nth < 10_000; nth++) writer.write('somebody', () => LINE)
    await writer.end()
    assert.isAbove(writer.lost, 5_000)
  })
})
