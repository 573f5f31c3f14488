// The progress of a run: a bar, a sentence, and the rate over time. The elements stay, so that nothing loses the focus while they change.

import { bytes, counted, h, number } from './dom.js';

const plotWidth = 320;
const plotHeight = 48;
const keptSeconds = 120;
const words = {
  ReadingFileList: 'Reading the list', ScanningTarget: 'Looking at the target', LocatingBlocks: 'Locating blocks', Restoring: 'Restoring',
  Finishing: 'Finishing', Done: 'Done',
};

function svg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

const left = seconds => seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

export class ProgressView {
  constructor() {
    this.samples = [];
    this.bar = h('progress', { 'aria-label': 'Restored bytes', max: 1, value: 0 });
    this.line = h('p', { class: 'figures' });
    this.rate = h('span', { class: 'rate' });
    this.area = svg('path', { class: 'area' });
    this.curve = svg('path', { class: 'curve' });
    this.plot = svg('svg', { viewBox: `0 0 ${plotWidth} ${plotHeight}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Rate of the fetched bytes over time' });
    this.plot.append(this.area, this.curve);
    this.element = h('div', { class: 'progress' }, h('div', { class: 'amount' }, this.bar, this.line), h('div', { class: 'plot' }, this.plot, this.rate));
  }

  update(job) {
    const { progress } = job;
    if (!progress) {
      this.line.textContent = 'Starting …';
      return;
    }

    const now = performance.now() / 1000;
    this.samples.push({ now, fetched: progress.bytesFetched, done: progress.bytesDone });
    this.samples = this.samples.filter(sample => now - sample.now < keptSeconds);
    const before = this.samples.findLast(sample => now - sample.now >= 2) ?? this.samples[0];
    const seconds = Math.max(0.001, now - before.now);
    const fetched = Math.max(0, progress.bytesFetched - before.fetched) / seconds;
    const done = Math.max(0, progress.bytesDone - before.done) / seconds;
    const isKnown = progress.phase === 'Restoring' && progress.bytesTotal > progress.bytesDone && done > 0;
    this.bar.max = Math.max(1, progress.bytesTotal);
    this.bar.value = progress.bytesDone;
    this.line.textContent = `${words[progress.phase] ?? progress.phase}: ${number(progress.filesDone)} of ${counted(progress.filesTotal, 'file')}, `
      + `${bytes(progress.bytesDone)} of ${bytes(progress.bytesTotal)}`
      + (isKnown ? `, about ${left((progress.bytesTotal - progress.bytesDone) / done)} left` : '')
      + (job.plan.length > 1 ? `; version ${progress.part + 1} of ${job.plan.length}` : '');
    this.rate.textContent = `${bytes(fetched)}/s fetched`;
    this.draw();
  }

  draw() {
    const rates = this.samples.slice(1).map((sample, i) => ({
      now: sample.now, rate: Math.max(0, sample.fetched - this.samples[i].fetched) / Math.max(0.05, sample.now - this.samples[i].now),
    }));
    if (rates.length < 2) {
      return;
    }

    const [from, to] = [rates[0].now, rates.at(-1).now];
    const most = Math.max(1, ...rates.map(({ rate }) => rate));
    const points = rates.map(({ now, rate }) =>
      `${(plotWidth * (now - from) / Math.max(0.001, to - from)).toFixed(1)} ${(plotHeight - 2 - (plotHeight - 6) * rate / most).toFixed(1)}`);
    this.curve.setAttribute('d', `M${points.join('L')}`);
    this.area.setAttribute('d', `M0 ${plotHeight}L${points.join('L')}L${plotWidth} ${plotHeight}Z`);
  }
}
