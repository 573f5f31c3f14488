// The progress of a run: a bar, a sentence, and the rate over time. The elements stay, so that nothing loses the focus while they change.

import { bytes, counted, h, number, visible } from './dom.js';

const plotWidth = 320;
const plotHeight = 48;
const keptSeconds = 120;
const words = {
  ReadingFileList: 'Reading the list', ScanningTarget: 'Looking at the target', LocatingBlocks: 'Locating blocks', Restoring: 'Restoring',
  Finishing: 'Links, and times of folders', Flushing: 'Waiting until the device has everything', Done: 'Done',
};

function svg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

const now = () => performance.now() / 1000;

const left = seconds => seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;

// A volume that is decoded, or an answer from the other end of the world, takes less.
const silence = 3;

export class ProgressView {
  constructor() {
    this.samples = [];
    this.bar = h('progress', { 'aria-label': 'Restored bytes', max: 1, value: 0 });
    this.line = h('p', { class: 'figures' });
    this.state = h('p', { class: 'figures quiet' });
    this.said = h('p', { class: 'heard', role: 'status' });
    this.rate = h('span', { class: 'rate' });
    this.area = svg('path', { class: 'area' });
    this.curve = svg('path', { class: 'curve' });
    this.plot = svg('svg', { viewBox: `0 0 ${plotWidth} ${plotHeight}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': 'Rate of the fetched bytes over time' });
    this.plot.append(this.area, this.curve);
    this.element = h('div', { class: 'progress' }, h('div', { class: 'amount' }, this.bar, this.line, this.state, this.said), h('div', { class: 'plot' }, this.plot, this.rate));
    this.moved = now();
    this.timer = setInterval(() => this.tick(), 1000);
  }

  stop() {
    clearInterval(this.timer);
  }

  update(job) {
    const { progress } = job;
    this.isHeld = job.state === 'Paused';
    if (this.isHeld) {
      this.samples = []; // A pause says nothing about the rate.
    }

    this.isDrill = job.target === undefined;
    if (!progress) {
      this.line.textContent = 'Starting …';
      return;
    }

    const position = `${progress.bytesFetched} ${progress.bytesDone} ${progress.filesDone} ${progress.phase}`;
    this.moved = position === this.position ? this.moved : now();
    this.position = position;
    this.progress = progress;
    this.samples.push({ now: now(), fetched: progress.bytesFetched, done: progress.bytesDone, phase: progress.phase, part: progress.part });
    this.samples = this.samples.filter(sample => now() - sample.now < keptSeconds && sample.phase === progress.phase && sample.part === progress.part);
    this.bar.max = 1;
    this.bar.value = progress.phase === 'Restoring' ? progress.fraction ?? 0 : ['Finishing', 'Flushing', 'Done'].includes(progress.phase) ? 1 : 0;
    this.show(job);
    this.tick();
    this.draw();
  }

  show(job) {
    const { progress } = this;
    const before = this.samples.findLast(sample => now() - sample.now >= 2) ?? this.samples[0];
    const seconds = Math.max(0.001, now() - before.now);
    const fetched = Math.max(0, progress.bytesFetched - before.fetched) / seconds;
    const done = Math.max(0, progress.bytesDone - before.done) / seconds;
    const [toCome, rate] = progress.bytesToFetch > 0 ? [progress.bytesToFetch - progress.bytesFetched, fetched] : [progress.bytesTotal - progress.bytesDone, done];
    const isKnown = !this.isHeld && progress.phase === 'Restoring' && toCome > 0 && rate > 0;
    this.line.textContent = [
      `${words[progress.phase] ?? progress.phase}${progress.phase === 'Restoring' ? `: ${Math.floor(100 * this.bar.value)} %` : ''}`,
      progress.bytesToFetch > 0 ? `${bytes(progress.bytesFetched)} of ${bytes(Math.max(progress.bytesToFetch, progress.bytesFetched))} fetched` : '',
      progress.bytesTotal > 0 ? `${bytes(progress.bytesDone)} of ${bytes(progress.bytesTotal)} ${this.isDrill ? 'verified' : 'in place'}` : '',
      progress.filesTotal > 0 ? `${number(progress.filesDone)} of ${counted(progress.filesTotal, 'file')}` : '',
      isKnown ? `about ${left(toCome / rate)} left` : '',
      job.plan.length > 1 ? `version ${progress.part + 1} of ${job.plan.length}` : '',
    ].filter(Boolean).join(', ');
    this.rate.textContent = this.isHeld ? '' : `${bytes(fetched)}/s fetched`;
  }

  // What the run waits for, when nothing has moved for a while.
  tick() {
    const { progress } = this;
    const still = Math.floor(now() - this.moved);
    const retry = progress?.retry;
    const text = this.isHeld || !progress ? ''
      : retry ? `Waiting for ${visible(retry.location)}, attempt ${retry.attempt} of ${retry.attempts}: ${visible(retry.reason)}`
        : still < silence ? ''
          : progress.openRequests > 0 ? 'Nothing comes from the store'
            : progress.phase === 'Restoring' ? 'Everything asked for has come; decoding and writing' : 'Working';
    this.state.textContent = text && !retry ? `${text}, for ${left(still)}` : text;
    if (this.said.textContent !== text) {
      this.said.textContent = text;
    }
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
