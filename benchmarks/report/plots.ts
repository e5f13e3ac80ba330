import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Figure } from '../checks/figures.ts'

echarts.use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

export type Theme = 'light' | 'dark'

const COLORS = {
  light: { text: '#1f2328', muted: '#59636e', line: '#d1d9e0', own: '#4f46e5', other: '#8c959f' },
  dark: { text: '#f0f6fc', muted: '#9198a1', line: '#3d444d', own: '#818cf8', other: '#6e7681' },
}
const FONT = 'system-ui, sans-serif'

/** Single checks, and the servers that decide nothing, by what a CPU-second is enough for. */
export function checksPlot(figures: Figure[], theme: Theme): string {
  const color = COLORS[theme]
  const shown = figures
    .filter(({ id, name }) => !id.includes('bulk') && !id.includes('large') && name !== '')
    .toSorted((one, other) => one.requestsPerCpuSecond - other.requestsPerCpuSecond)
  return draw(theme, 60 + shown.length * 28, {
    ...titled('Requests per CPU-second', theme),
    grid: { left: 330, right: 80, top: 44, bottom: 12 },
    xAxis: { type: 'value', show: false },
    yAxis: {
      type: 'category',
      data: shown.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: color.text, fontFamily: FONT, fontSize: 12 },
    },
    series: [
      {
        type: 'bar',
        barWidth: 16,
        data: shown.map(({ name, requestsPerCpuSecond }) => ({
          value: requestsPerCpuSecond,
          itemStyle: { color: name.startsWith('Concierge') ? color.own : color.other },
        })),
        label: {
          show: true,
          position: 'right',
          color: color.muted,
          fontFamily: FONT,
          formatter: ({ value }: { value: unknown }) => Number(value).toLocaleString('en-GB'),
        },
      },
    ],
  })
}

/** What a check costs with more users, as a multiple of its cost with the fewest. */
export function growthPlot(figures: Figure[], theme: Theme): string {
  const color = COLORS[theme]
  const pairs = figures.flatMap((small) => {
    const large = figures.find(({ id }) => id === `${small.id} large`)
    return large ? [{ small, large }] : []
  })
  return draw(theme, 320, {
    ...titled('Cost of a check, to that with a hundredth of the users', theme),
    grid: { left: 48, right: 24, top: 44, bottom: 32 },
    xAxis: {
      type: 'category',
      data: pairs.map(({ small }) => small.name.replace('Concierge, check, ', '')),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: color.line } },
      axisLabel: { color: color.text, fontFamily: FONT, interval: 0 },
    },
    yAxis: {
      type: 'value',
      axisLabel: { color: color.muted, fontFamily: FONT },
      splitLine: { lineStyle: { color: color.line } },
    },
    series: [
      {
        type: 'bar',
        barWidth: 48,
        itemStyle: { color: color.own },
        data: pairs.map(({ small, large }) =>
          Number((large.cpuPerRequest / small.cpuPerRequest).toFixed(2))
        ),
        label: { show: true, position: 'top', color: color.muted, fontFamily: FONT },
      },
    ],
  })
}

const titled = (text: string, theme: Theme) => ({
  animation: false,
  title: {
    text,
    left: 8,
    top: 8,
    textStyle: { color: COLORS[theme].text, fontFamily: FONT, fontSize: 14 },
  },
})

function draw(theme: Theme, height: number, options: echarts.EChartsCoreOption): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 760, height })
  chart.setOption({ backgroundColor: theme === 'light' ? '#ffffff' : '#0d1117', ...options })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return `${svg}\n`
}
