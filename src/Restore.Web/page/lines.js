// Two texts line by line. No file may take the page long: what is too different to be compared counts as replaced.

const mostCells = 4_000_000;

// Steps from one list of lines to the other: [sign, line], with '-' for a line of the first, '+' for one of the second and ' ' for one of both.
export function compareLines(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start++;
  }

  let [end, last] = [before.length, after.length];
  while (end > start && last > start && before[end - 1] === after[last - 1]) {
    end--;
    last--;
  }

  return [
    ...before.slice(0, start).map(line => [' ', line]),
    ...middleOf(before.slice(start, end), after.slice(start, last)),
    ...before.slice(end).map(line => [' ', line]),
  ];
}

// By the longest sequence of lines that both have.
function middleOf(before, after) {
  const width = after.length + 1;
  if ((before.length + 1) * width > mostCells) {
    return [...before.map(line => ['-', line]), ...after.map(line => ['+', line])];
  }

  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let k = after.length - 1; k >= 0; k--) {
      common[i * width + k] = before[i] === after[k] ? common[(i + 1) * width + k + 1] + 1 : Math.max(common[(i + 1) * width + k], common[i * width + k + 1]);
    }
  }

  const steps = [];
  let [i, k] = [0, 0];
  while (i < before.length || k < after.length) {
    if (i < before.length && k < after.length && before[i] === after[k]) {
      steps.push([' ', before[i++]]);
      k++;
    } else if (k === after.length || (i < before.length && common[(i + 1) * width + k] >= common[i * width + k + 1])) {
      steps.push(['-', before[i++]]);
    } else {
      steps.push(['+', after[k++]]);
    }
  }

  return steps;
}

// The steps that are shown: what changed, with some lines around it, in groups.
export function groupsOf(steps, around = 3) {
  const isNear = steps.map(() => false);
  steps.forEach(([sign], at) => {
    if (sign !== ' ') {
      isNear.fill(true, Math.max(0, at - around), at + around + 1);
    }
  });
  const groups = [];
  steps.forEach((step, at) => {
    if (isNear[at]) {
      isNear[at - 1] ? groups.at(-1).push(step) : groups.push([step]);
    }
  });
  return groups;
}
