// Which versions are good, in the timeline. It reads the lists again, so it is asked for; it is no virus scanner, and says what it looked at.

import { h, status, visible } from './dom.js';
import { readAssessment, startAssessment } from './server.js';
import { canPick, planLastGood } from './restore.js';
import { redrawVersions, versionTime } from './versions.js';

const words = { Good: ['good', 'good'], Suspect: ['bad', 'suspect'], Incomplete: ['warn', 'incomplete'], Unknown: ['', 'nothing to compare with'] };
const pause = 500;

let known = { state: 'NotStarted', versions: [] };

async function assess() {
  try {
    known = await startAssessment();
    redrawVersions();
    while (known.state === 'Running') {
      await new Promise(resume => setTimeout(resume, pause));
      known = await readAssessment();
    }
  } catch (failure) {
    status(failure.message, true);
    known = { state: 'Failed', error: failure.message, versions: [] };
  }

  redrawVersions();
}

function adviceOf() {
  const recommended = known.recommended === undefined ? null : h('p', {}, 'Newest good version: ', h('strong', {}, versionTime(known.recommended)));
  return [
    recommended,
    h('p', { class: 'quiet', id: 'advice', title: visible(known.examined) }, `${visible(known.advice).replace(/^Version (\d+)\b/, (_, index) => versionTime(Number(index)))}.`),
    h('p', { class: 'quiet' }, `${visible(known.examined)}.`),
    known.canTakeLastGood && canPick() ? h('button', { id: 'last-good', onclick: () => planLastGood() }, 'Take the last good version of everything') : null,
  ];
}

export const verdicts = {
  head: () => h('div', { class: 'verdicts', role: 'status' },
    known.state === 'Done' ? h('details', { open: true }, h('summary', {}, 'Which versions are good'), adviceOf())
      : known.state === 'Running' ? h('p', { class: 'quiet' }, 'Looking at what changed in each version …')
        : [known.error ? h('p', { class: 'error' }, visible(known.error)) : null,
          h('button', { id: 'assess', title: 'After ransomware or a mass deletion: reads the lists of all versions', onclick: assess }, 'Which versions are good?')]),

  // What was said about one version, with the reasons.
  of(index) {
    const found = known.versions.find(one => one.index === index);
    const [style, word] = words[found?.verdict] ?? [];
    const reasons = found?.reasons.map(visible).join('; ');
    return !found ? null : [
      h('span', { class: `verdict ${style}`, title: reasons }, word),
      found.verdict === 'Good' || found.verdict === 'Unknown' ? h('span', { class: 'heard' }, reasons) : h('small', { class: 'reasons' }, reasons),
    ];
  },
};
