// Draws the pictures of a report from the JSON in #data: the critical path, the map of links, the
// time line, latencies. The text of the page stands without it.
"use strict";
(() => {
const runs = JSON.parse(document.getElementById("data").textContent);

// ---- Small tools -------------------------------------------------------------------------------
const NS = "http://www.w3.org/2000/svg";
function svg(name, attributes = {}, parent = null) {
  const made = document.createElementNS(NS, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (parent) parent.append(made);
  return made;
}
function html(name, attributes = {}, parent = null) {
  const made = document.createElement(name);
  for (const key in attributes) {
    if (key === "text") made.textContent = attributes[key];
    else made.setAttribute(key, attributes[key]);
  }
  if (parent) parent.append(made);
  return made;
}
function significant(value, unit) {
  const digits = value === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  let text = value.toFixed(digits);
  if (text.includes(".")) text = text.replace(/0+$/, "").replace(/\.$/, "");
  return `${text} ${unit}`;
}
// Four significant digits, as everywhere in Heddle.
function scaled(value, units) {
  const rounded = Number(value.toPrecision(4));
  for (const [factor, unit] of units)
    if (Math.abs(rounded) >= factor) return significant(rounded / factor, unit);
  const [factor, unit] = units[units.length - 1];
  return significant(rounded / factor, unit);
}
const time = s => scaled(s, [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"], [1e-12, "ps"]]);
const rate = r => scaled(r, [[1e12, "TB/s"], [1e9, "GB/s"], [1e6, "MB/s"], [1e3, "KB/s"], [1, "B/s"]]);
const size = b => scaled(b, [[1 << 30, "GiB"], [1 << 20, "MiB"], [1024, "KiB"], [1, "B"]]);
const percent = share => `${(100 * share).toFixed(1)} %`;
const readable = name => name.replace(/_/g, " ");
const categories = JSON.parse(document.getElementById("categories").textContent);
const categoryText = name => categories[name] || name;
// A figure of stats.json, or a quotient "A / B" of two, which a test compares with it.
function figure(path, value, text, parent) {
  return html("data", {"data-path": path, value: String(value), text}, parent);
}
function shareLabel(path, value, parent) {
  const made = svg("tspan", {"data-path": path, value}, parent);
  made.textContent = percent(value);
}
function heading(parent, title, note) {
  const line = html("h2", {text: title}, parent);
  if (note) html("small", {text: note}, line);
  return line;
}
const lastOf = rows => rows.reduce((a, b) => !a || b.end_s >= a.end_s ? b : a, null);
const natural = (a, b) => a.localeCompare(b, "en", {numeric: true});

const tip = html("div", {class: "tip"}, document.body);
function tell(event, text) {
  tip.style.display = text ? "block" : "none";
  if (!text) return;
  tip.textContent = text;
  const right = event.clientX + tip.offsetWidth + 24 > innerWidth;
  tip.style.left = `${right ? event.clientX - tip.offsetWidth - 12 : event.clientX + 12}px`;
  tip.style.top = `${Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 4)}px`;
}
function telling(element, text) {
  element.addEventListener("mousemove", event => tell(event, text));
  element.addEventListener("mouseleave", event => tell(event, ""));
}

// ---- Colors: told apart with every color vision -------------------------------------------------
const CATEGORY = {
  firmware: "#8da0b3", doorbell: "#b9c6d2", queueing: "#d55e00", serialization: "#0072b2",
  propagation: "#56b4e9", forwarding: "#7fc8c2", memory: "#009e73", wave_slot: "#cc79a7",
  reduction: "#e69f00", compute: "#f0e442", completion: "#a5a5a5", synchronization: "#6a51a3",
  credits: "#b3261e",
};
const DARK = new Set(["serialization", "queueing", "memory", "synchronization", "credits"]);
const REST = "#dfe6ee", ALARM = "#b3261e";
const STATES = {
  RUN: "#0072b2", POLL: "#c3ccd5", WAIT_JOB: REST, WAIT_IRQ: REST, FINISHED: "#eef1f4",
  FAULT: ALARM, NO_CREDITS: ALARM, FULL: ALARM, WAIT_CREDIT: ALARM,
  READ_REQUEST: "#56b4e9", READ_RESPONSE: "#1f4e79", WRITE_REQUEST: "#e69f00",
  WRITE_RESPONSE: "#f0d9a0", REDUCE: "#d55e00", WRITE: "#009e73", READY: "#cc79a7",
  WAITING: "#dcc3d3",
};
const OTHERS = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#9d755d", "#72b7b2", "#eeca3b", "#79706e"];
// States without a color of their own take these in turn, alike in all runs of the page.
const SPARE = ["#6a51a3", "#8c564b", "#a6d854", "#17a2b8", "#c51b7d", "#4d7c0f", "#f7b6d2"];
const spares = SPARE.values();
function stateColor(name) {
  if (!(name in STATES)) STATES[name] = spares.next().value || "#79706e";
  return STATES[name];
}
// Jobs and functions, of which there are any number, are told apart from their neighbors only.
const isNamed = track => /^(function|running)$/.test(track.signal);
function valueColor(track, value) {
  return isNamed(track) ? OTHERS[value % OTHERS.length] : stateColor(track.names[value]);
}
// From rest to full: gray, yellow, red, dark.
const HEAT = [[0, [214, 220, 226]], [.25, [246, 205, 97]], [.6, [231, 111, 60]], [1, [150, 10, 40]]];
function heat(share) {
  for (let i = 1; i < HEAT.length; ++i) {
    const [low, a] = HEAT[i - 1], [high, b] = HEAT[i];
    if (share > high && i + 1 < HEAT.length) continue;
    const part = Math.min(1, Math.max(0, (share - low) / (high - low)));
    return `rgb(${a.map((c, k) => Math.round(c + (b[k] - c) * part)).join(",")})`;
  }
}

// ---- Critical path -----------------------------------------------------------------------------
function drawPath(run, node) {
  const last = lastOf(run.rows), job = lastOf(run.rows.filter(each => each.breakdown));
  if (!job) return;
  const total = job.time_s;
  const path = ((run.record || {}).paths || []).find(each => each.row === job.path);
  const note = html("small", {}, heading(node, "Critical path"));
  figure(`${job.path}.time_s`, total, time(total), note);
  note.append(` of ${job.workload ? `${job.workload}: ` : "the "}${job.name}` + (job.algorithm ? ` by ${job.algorithm}` : ""));
  if (job.bytes > 0) {
    note.append(", ");
    figure(`${job.path}.bytes`, job.bytes, size(job.bytes), note);
  }
  note.append((job === last ? "" : " (the last job was not explained)") +
              (path ? "; click a part to unfold it" : ""));
  const width = Math.max(400, node.clientWidth), height = 50;
  const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, height}, node);
  const parts = Object.entries(job.breakdown).filter(each => each[1] > 0)
    .sort((a, b) => b[1] - a[1]);
  const places = html("div", {class: "places"}, node);
  places.hidden = true;
  let x = 0;
  for (const [name, s] of parts) {
    const w = s / total * width;
    const part = svg("g", {class: DARK.has(name) ? "part light" : "part", value: s,
                           "data-path": `${job.path}.breakdown.${name}`}, picture);
    svg("rect", {x, y: 0, width: Math.max(0.5, w - 1), height: 30, fill: CATEGORY[name] || "#999"}, part);
    const label = `${categoryText(name)} ${percent(s / total)}`;
    if (w > 40) {
      const text = svg("text", {x: x + 5, y: 19}, part);
      if (w > 7.8 * label.length) text.append(`${categoryText(name)} `);
      shareLabel(`${job.path}.breakdown.${name} / ${job.path}.time_s`, s / total, text);
    }
    telling(part, `${categoryText(name)}: ${time(s)}, ${percent(s / total)}`);
    part.addEventListener("click", () => unfold(name, s));
    x += w;
  }
  x = 0;
  for (const [name] of parts.filter(each => each[1] / total < 0.12)) {
    svg("rect", {x, y: 35, width: 8, height: 8, fill: CATEGORY[name] || "#999"}, picture);
    svg("text", {x: x + 11, y: 43}, picture).textContent = categoryText(name);
    x += 24 + 6.2 * categoryText(name).length;
  }
  if (path) drawSteps(path, total, node);
  node.append(places);

  let shown = "";
  function unfold(name, s) {
    places.textContent = "";
    shown = shown === name ? "" : name;
    places.hidden = !shown;
    if (!shown) return;
    const title = html("h3", {text: `${categoryText(name)}: `}, places);
    figure(`${job.path}.breakdown.${name}`, s, time(s), title);
    const shares = path ? path.shares.filter(each => each[0] === name) : [];
    for (const [, where, length, steps] of shares.slice(0, 12)) {
      const row = html("div", {class: "place"}, places);
      html("span", {text: where}, row);
      html("span", {text: time(length)}, row);
      html("span", {text: `${steps} x`}, row);
      html("i", {style: `width:${200 * length / shares[0][2]}px;background:${CATEGORY[name]}`}, row);
    }
    if (shares.length > 12)
      html("div", {class: "note", text: `and ${shares.length - 12} more places, below`}, places);
  }
}

// The same in the order of time.
function drawSteps(path, total, node) {
  const canvas = html("canvas", {}, node);
  const width = canvas.clientWidth, ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = 12 * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  for (const [name, , begin, length] of path.steps) {
    pen.fillStyle = CATEGORY[name] || "#999";
    pen.fillRect(begin / total * width, 0, Math.max(0.4, length / total * width), 12);
  }
  canvas.addEventListener("mousemove", event => {
    const at = event.offsetX / canvas.clientWidth * total;
    const step = path.steps.find(each => at >= each[2] && at < each[2] + each[3]);
    tell(event, step ? `${categoryText(step[0])} at ${step[1]}\n${time(step[3])} after ${time(step[2])}` : "");
  });
  canvas.addEventListener("mouseleave", event => tell(event, ""));
}

// ---- Map of links ------------------------------------------------------------------------------
// Shares by link, of the last job or, without one, of the run; null: only links.csv has them.
function sharesOf(run) {
  const busy = run.busy || {};
  return run.rows.length && run.busy || Object.keys(busy).length ? busy : null;
}
// Units that are joined by links, each named after its outermost part that tells it from others.
function graphOf(run) {
  const key = name => run.link_keys.indexOf(name);
  const unitOf = port => port.slice(0, Math.max(0, port.lastIndexOf(".")));
  const units = new Set();
  for (const each of run.links) units.add(unitOf(each[key("from")])).add(unitOf(each[key("to")]));
  const split = [...units].map(each => each.split("."));
  let common = 0;
  while (split.length > 1 && split.every(each => each.length > common + 1 &&
                                         each[common] === split[0][common])) ++common;
  const nameOf = unit => unit.split(".").slice(0, common + 1).join(".");
  const nodes = new Map();
  for (const unit of units) {
    const name = nameOf(unit);
    if (!nodes.has(name)) nodes.set(name, {name, isSwitch: false, near: new Set()});
    if (/switch|router/.test(run.units.types[unit] || "")) nodes.get(name).isSwitch = true;
    if (unit in run.units.x) nodes.get(name).grid = [run.units.x[unit], run.units.y[unit]];
  }
  const edges = new Map(), busy = sharesOf(run);
  run.links.forEach((each, index) => {
    const from = each[key("from")], to = each[key("to")];
    const a = nameOf(unitOf(from)), b = nameOf(unitOf(to));
    if (a === b) return;
    nodes.get(a).near.add(b);
    nodes.get(b).near.add(a);
    const id = `${a}>${b}`;
    if (!edges.has(id)) edges.set(id, {a, b, share: 0, bytes: 0, stalls: 0, rate: 0, links: []});
    const edge = edges.get(id);
    const share = busy ? busy[`${from} -> ${to}`] || 0 : Number(each[key("utilization")]);
    edge.share = Math.max(edge.share, share);
    edge.bytes += Number(each[key("wire_bytes")]);
    edge.stalls += Number(each[key("credit_stalls")]);
    edge.rate += Number(each[key("bandwidth_Bps")]);
    edge.links.push(index);
  });
  return {nodes: [...nodes.values()].sort((a, b) => natural(a.name, b.name)),
          edges: [...edges.values()]};
}

function place(graph, width, height) {
  const byName = new Map(graph.nodes.map(each => [each.name, each]));
  const margin = 24;
  const grid = graph.nodes.filter(each => each.grid);
  if (grid.length > 1 && grid.length === graph.nodes.length) {  // a mesh says where its tiles are
    const xs = grid.map(each => each.grid[0]), ys = grid.map(each => each.grid[1]);
    const left = Math.min(...xs), top = Math.max(...ys);  // north, where y is largest
    const columns = Math.max(...xs) - left + 1, rows = top - Math.min(...ys) + 1;
    for (const each of grid) {
      each.x = margin + (width - 2 * margin) * (each.grid[0] - left + 0.5) / columns;
      each.y = margin + (height - 2 * margin) * (top - each.grid[1] + 0.5) / rows;
      each.room = (width - 2 * margin) / columns - 8;
    }
    return;
  }
  const ends = graph.nodes.filter(each => !each.isSwitch);
  const first = ends.length ? ends : graph.nodes.slice(0, 1);
  for (const each of first) each.layer = 0;
  for (let wave = first.slice(); wave.length;) {
    const next = [];
    for (const each of wave)
      for (const name of each.near) {
        const other = byName.get(name);
        if (other.layer === undefined) { other.layer = each.layer + 1; next.push(other); }
      }
    wave = next;
  }
  for (const each of graph.nodes) each.layer = each.layer || 0;
  const flat = graph.edges.filter(each => byName.get(each.a).layer === byName.get(each.b).layer).length;
  if (flat > graph.edges.length / 4) return circle(graph, byName, ends.length > 0, width, height);
  const layers = [];
  for (const each of graph.nodes) (layers[each.layer] = layers[each.layer] || []).push(each);
  layers.forEach((layer, depth) => {
    if (depth > 0) {
      const middle = each => {
        const below = [...each.near].map(name => byName.get(name)).filter(other => other.layer < depth);
        return below.reduce((sum, other) => sum + other.x, 0) / (below.length || 1);
      };
      const at = new Map(layer.map(each => [each, Math.round(middle(each))]));
      layer.sort((a, b) => at.get(a) - at.get(b) || natural(a.name, b.name));
    }
    layer.forEach((each, i) => {
      each.x = margin + (width - 2 * margin) * (i + 0.5) / layer.length;
      each.y = layers.length === 1 ? height / 2
        : height - margin - (height - 2 * margin) * depth / (layers.length - 1);
      each.room = (width - 2 * margin) / layer.length;
    });
  });
}

// Switches in a ring, what hangs on each outside of it.
function circle(graph, byName, hasEnds, width, height) {
  const ring = graph.nodes.filter(each => !hasEnds || each.isSwitch);
  const around = (each, angle, part) => {
    each.x = width / 2 + Math.cos(angle) * part * width / 2;
    each.y = height / 2 + Math.sin(angle) * part * height / 2;
    each.room = 2 * Math.PI * part * width / 2 / Math.max(1, ring.length);
  };
  ring.forEach((each, i) => {
    const angle = 2 * Math.PI * i / ring.length - Math.PI / 2;
    around(each, angle, hasEnds ? 0.6 : 0.85);
    const hung = [...each.near].map(name => byName.get(name)).filter(other => hasEnds && !other.isSwitch);
    hung.sort((a, b) => natural(a.name, b.name)).forEach((other, k) => around(
      other, angle + (k - (hung.length - 1) / 2) * 2 * Math.PI / ring.length / Math.max(1, hung.length), 0.92));
  });
}

function drawMap(run, node) {
  if (!run.links.length) return;
  const graph = graphOf(run);
  if (graph.nodes.length < 2) return;
  heading(node, "Links", run.busy && run.rows.length
          ? "share of the last job in which a wire carried bytes"
          : "share of the run in which a wire carried bytes");
  const width = Math.max(300, node.clientWidth - 18), height = 396;
  place(graph, width, height - 24);
  const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, height}, node);
  const at = new Map(graph.nodes.map(each => [each.name, each]));
  const widest = Math.max(...graph.edges.map(each => each.rate));
  graph.edges.sort((a, b) => a.share - b.share);
  for (const edge of graph.edges) {
    const a = at.get(edge.a), b = at.get(edge.b);
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const dx = -(b.y - a.y) / length * 2.5, dy = (b.x - a.x) / length * 2.5;
    const bend = a.y === b.y && Math.abs(a.x - b.x) > 1.5 * (a.room || 1e9) ? -0.15 * Math.abs(b.x - a.x) : 0;
    const mx = (a.x + b.x) / 2 + dx, my = (a.y + b.y) / 2 + dy + bend;
    const line = svg("path", {
      d: `M${a.x + dx},${a.y + dy}Q${mx},${my} ${b.x + dx},${b.y + dy}`, fill: "none",
      stroke: heat(edge.share), "stroke-width": 1 + 2.5 * edge.rate / widest}, picture);
    Object.assign(line.dataset, {edge: `${edge.a} -> ${edge.b}`, links: edge.links, busy: edge.share});
    telling(line, `${edge.a} -> ${edge.b}${edge.links.length > 1 ? `, ${edge.links.length} links` : ""}\n` +
      `carried bytes ${percent(edge.share)} of the time\n${size(edge.bytes)}, ` +
      `${edge.stalls} waits for credits`);
  }
  for (const each of graph.nodes) {
    const group = svg("g", {class: each.isSwitch ? "node switch" : "node"}, picture);
    const label = each.name.replace(/^.*\./, "");
    const w = 6.8 * label.length + 10, fits = (each.room || 40) > w;
    if (fits) {
      svg("rect", {x: each.x - w / 2, y: each.y - 10, width: w, height: 20, rx: each.isSwitch ? 10 : 3}, group);
      svg("text", {x: each.x, y: each.y + 4, "text-anchor": "middle"}, group).textContent = label;
    } else {
      svg("circle", {cx: each.x, cy: each.y, r: Math.max(1.5, Math.min(6, (each.room || 12) / 3))}, group);
    }
    telling(group, each.name);
  }
  const y = height - 12;
  for (let i = 0; i < 60; ++i)
    svg("rect", {x: 40 + 2 * i, y, width: 2.2, height: 8, fill: heat(i / 59)}, picture);
  svg("text", {x: 12, y: y + 8}, picture).textContent = "0 %";
  svg("text", {x: 166, y: y + 8}, picture).textContent = "100 %";
}

// ---- Time line ---------------------------------------------------------------------------------
const LABELS = 196, ROW = 15, AXIS = 20;
const GROUPS = [["Jobs", each => each.signal === "running", 3],
                ["Cores", each => /^(activity|function)$/.test(each.signal), 4],
                ["Links", each => each.signal === "wire", 6],
                ["Devices", each => each.kind === "state", 5],
                ["Levels", each => each.kind === "number", 4]];

// Times in picoseconds; a value and how much of it was busy, or the mean level.
function decoded(track) {
  const count = track.entries.length / 4;
  const begin = new Float64Array(count), end = new Float64Array(count), value = new Float64Array(count),
        share = new Float64Array(count);
  let at = 0;
  for (let i = 0; i < count; ++i) {
    begin[i] = at += track.entries[4 * i];
    end[i] = at += track.entries[4 * i + 1];
    value[i] = track.entries[4 * i + 2];
    share[i] = track.entries[4 * i + 3];
  }
  const made = {...track, count, begin, end, value, share, most: value.reduce((a, b) => Math.max(a, b), 0)};
  delete made.entries;
  return made;
}
function firstEndingAfter(track, when) {
  let low = 0, high = track.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track.end[middle] > when) high = middle;
    else low = middle + 1;
  }
  return low;
}
function busyTime(track, from, to) {
  let sum = 0;
  for (let i = firstEndingAfter(track, from); i < track.count && track.begin[i] < to; ++i)
    sum += (Math.min(to, track.end[i]) - Math.max(from, track.begin[i])) * track.share[i];
  return sum;
}

function drawTimeline(run, node) {
  const recorded = (run.record || {}).timeline;
  if (!recorded || !recorded.tracks.length) return;
  const last = lastOf(run.rows);
  const zero = last ? last.start_s * 1e12 : 0;
  const home = last ? [zero, Math.max(zero + 1, last.end_s * 1e12)] : [0, Math.max(1, recorded.end_ps)];
  const pad = (home[1] - home[0]) * 0.02;
  let view = [home[0] - pad, home[1] + pad];
  const tracks = recorded.tracks.map(decoded);
  const groups = GROUPS.map(([title, , most]) => ({title, most, tracks: [], isOpen: false}));
  for (const each of tracks) groups[GROUPS.findIndex(([, has]) => has(each))].tracks.push(each);
  for (const group of groups)
    if (group.title === "Cores")
      group.tracks.sort((a, b) => natural(a.signal, b.signal) || natural(a.unit, b.unit));
    else {
      const busy = new Map(group.tracks.map(each => [each, busyTime(each, ...home) / (group.title === "Levels" ? each.most || 1 : 1)]));
      group.tracks.sort((a, b) => busy.get(b) - busy.get(a) || natural(a.unit, b.unit));
    }

  const line = heading(node, "Time line", "wheel: zoom, drag: move, click a heading: all of its rows");
  const button = (text, act) => html("button", {text}, line).addEventListener("click", act);
  if (last) button("last job", () => { view = [home[0] - pad, home[1] + pad]; draw(); });
  button("whole run", () => { view = [0, recorded.end_ps]; draw(); });
  const box = html("div", {class: "rows"}, node);
  const canvas = html("canvas", {}, box), spacer = html("div", {}, box);
  const legend = html("div", {class: "legend"}, node);
  const pen = canvas.getContext("2d");
  let rows = [];

  function layOut() {
    rows = [];
    for (const group of groups) {
      if (!group.tracks.length) continue;
      rows.push({group});
      const shown = group.isOpen ? group.tracks : group.tracks.slice(0, group.most);
      for (const track of shown) rows.push({track});
    }
    const states = new Map();  // by color
    for (const {track} of rows)
      if (track && track.kind === "state" && !isNamed(track))
        for (const each of track.names) {
          const color = stateColor(each);
          states.set(color, (states.get(color) || new Set()).add(readable(each.toLowerCase())));
        }
    legend.textContent = "";
    for (const [color, names] of states) {
      const entry = html("span", {}, legend);
      html("i", {style: `background:${color}`}, entry);
      entry.append([...names].join(", "));
    }
    spacer.style.height = `${Math.max(0, AXIS + rows.length * ROW - box.clientHeight)}px`;
    draw();
  }

  const x = when => LABELS + (when - view[0]) / (view[1] - view[0]) * (box.clientWidth - LABELS);
  const when = px => view[0] + (px - LABELS) / (box.clientWidth - LABELS) * (view[1] - view[0]);

  function draw() {
    const ratio = devicePixelRatio || 1, width = box.clientWidth, height = box.clientHeight;
    if (!width) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = "11px system-ui, sans-serif";
    pen.clearRect(0, 0, width, height);
    const offset = box.scrollTop;
    const first = Math.max(0, Math.floor(offset / ROW)), end = Math.ceil((offset + height) / ROW);
    for (let i = first; i < Math.min(rows.length, end); ++i) drawRow(rows[i], AXIS + i * ROW - offset, width);
    drawAxis(width, height);
  }

  function drawRow(row, y, width) {
    if (row.group) {
      pen.fillStyle = "#1b2733";
      pen.font = "600 11px system-ui, sans-serif";
      const {title, tracks: all, most, isOpen} = row.group;
      pen.fillText(`${isOpen ? "\u25be" : "\u25b8"} ${title}` +
                   (all.length > most ? ` (${isOpen ? all.length : `${most} of ${all.length}`})` : ""), 0, y + 12);
      pen.font = "11px system-ui, sans-serif";
      return;
    }
    const track = row.track;
    pen.fillStyle = "#f3f5f7";
    pen.fillRect(LABELS, y + 1, width - LABELS, ROW - 2);
    for (let i = firstEndingAfter(track, view[0]); i < track.count && track.begin[i] < view[1]; ++i) {
      const left = Math.max(LABELS, x(track.begin[i])), w = Math.max(0.6, x(track.end[i]) - left);
      if (track.kind === "state") {
        const tall = Math.max(1, (ROW - 2) * track.share[i]);
        pen.fillStyle = valueColor(track, track.value[i]);
        pen.fillRect(left, y + ROW - 1 - tall, w, tall);
        const name = track.names[track.value[i]];
        if (track.signal === "running" && w > pen.measureText(name).width + 8) {
          pen.fillStyle = "#fff";
          pen.fillText(name, left + 4, y + 12);
        }
      } else {
        const tall = (ROW - 2) * track.value[i] / (track.most || 1);
        const mean = (ROW - 2) * track.share[i] / (track.most || 1);
        pen.fillStyle = "#b9d3ea";
        pen.fillRect(left, y + ROW - 1 - tall, w, tall);
        pen.fillStyle = "#4c78a8";
        pen.fillRect(left, y + ROW - 1 - mean, w, mean);
      }
    }
    pen.fillStyle = "#fff";
    pen.fillRect(0, y, LABELS - 2, ROW);
    pen.fillStyle = "#1b2733";
    let label = track.signal === "wire" ? track.unit : `${track.unit}.${track.signal}`;
    if (track.kind === "number") label += ` \u2264 ${track.most}`;
    while (label.length > 8 && pen.measureText(label).width > LABELS - 12)
      label = `\u2026${label.replace(/^\u2026/, "").slice(2)}`;
    pen.fillText(label, 8, y + 12);
  }

  function drawAxis(width, height) {
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, width, AXIS);
    const span = view[1] - view[0];
    let step = 10 ** Math.floor(Math.log10(span / 4));
    if (span / step > 16) step *= 5;
    else if (span / step > 8) step *= 2;
    pen.fillStyle = "#5b6b7a";
    let free = 0;  // labels begin to the right of it
    for (let t = Math.ceil((view[0] - zero) / step) * step; t + zero <= view[1]; t += step) {
      const at = x(t + zero);
      pen.fillRect(at, AXIS - 4, 1, 4);
      const label = Math.abs(t) < step / 2 ? "0" : time(t * 1e-12);
      const wide = pen.measureText(label).width, left = Math.min(at + 3, width - wide - 2);
      if (left < free) continue;
      pen.fillText(label, left, 11);
      free = left + wide + 4;
    }
    if (last)
      for (const edge of home) {
        pen.fillStyle = "#1b273388";
        if (x(edge) >= LABELS) pen.fillRect(x(edge), AXIS - 4, 1, height);
      }
  }

  function rowAt(event) {
    return rows[Math.floor((event.offsetY - AXIS + box.scrollTop) / ROW)];
  }
  canvas.addEventListener("wheel", event => {
    if (event.offsetX < LABELS && !event.ctrlKey) return;  // the list of rows scrolls there
    event.preventDefault();
    const middle = when(Math.max(LABELS, event.offsetX)), factor = 1.0015 ** event.deltaY;
    view = [middle - (middle - view[0]) * factor, middle + (view[1] - middle) * factor];
    if (view[1] - view[0] < 10) view[1] = view[0] + 10;
    draw();
  }, {passive: false});
  let dragged = null;
  canvas.addEventListener("mousedown", event => { dragged = {x: event.clientX, view}; });
  addEventListener("mouseup", () => { dragged = null; });
  canvas.addEventListener("mousemove", event => {
    if (dragged) {
      const by = (dragged.x - event.clientX) / (box.clientWidth - LABELS) * (dragged.view[1] - dragged.view[0]);
      view = [dragged.view[0] + by, dragged.view[1] + by];
      draw();
      return;
    }
    const row = event.offsetY > AXIS ? rowAt(event) : null;
    if (!row || !row.track) return tell(event, "");
    const {track} = row, at = when(event.offsetX), i = firstEndingAfter(track, at);
    let text = `${track.unit}.${track.signal}`;
    if (event.offsetX >= LABELS && i < track.count && track.begin[i] <= at) {
      const what = track.kind === "state" ? track.names[track.value[i]] : `up to ${track.value[i]}, mean ${track.share[i]}`;
      text += `\n${what}\n${time((track.begin[i] - zero) * 1e-12)}, for ${time((track.end[i] - track.begin[i]) * 1e-12)}`;
      if (track.kind === "state" && track.share[i] < 0.999) text += `, ${percent(track.share[i])} of it`;
    } else {
      text += `\nin this view ${track.kind === "state" ? percent(busyTime(track, ...view) / (view[1] - view[0])) + " busy" : ""}`;
    }
    tell(event, text);
  });
  canvas.addEventListener("mouseleave", event => tell(event, ""));
  canvas.addEventListener("click", event => {
    const row = rowAt(event);
    if (!row || !row.group || event.offsetY < AXIS) return;
    row.group.isOpen = !row.group.isOpen;
    layOut();
  });
  box.addEventListener("scroll", draw);
  addEventListener("resize", draw);
  layOut();
}

// ---- Latency -----------------------------------------------------------------------------------
function drawLatency(run, node) {
  const all = Object.entries((run.record || {}).latency || {}).filter(each => each[1].length);
  if (!all.length) return;
  heading(node, "Share that is not slower", "by kind of transfer");
  const width = Math.min(900, Math.max(400, node.clientWidth)), height = 190, left = 44, bottom = 24;
  const low = Math.min(...all.map(([, classes]) => classes[0][0])) * 0.9 || 1e-12;
  const high = Math.max(...all.map(([, classes]) => classes[classes.length - 1][0])) * 1.1;
  const x = s => left + (Math.log(s) - Math.log(low)) / (Math.log(high) - Math.log(low)) * (width - left - 90);
  const y = share => 8 + (height - bottom - 8) * (1 - share);
  const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, height, style: `max-width:${width}px`}, node);
  for (const share of [0, 0.5, 0.9, 1]) {
    svg("path", {d: `M${left},${y(share)}H${width - 90}`, stroke: "#d8dee4"}, picture);
    svg("text", {x: left - 6, y: y(share) + 4, "text-anchor": "end"}, picture).textContent = `${100 * share} %`;
  }
  let free = 0;  // labels end to the left of it
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; ++power)
    for (const digit of [1, 2, 5]) {
      const s = digit * 10 ** power;
      if (s < low || s > high) continue;
      svg("path", {d: `M${x(s)},8V${height - bottom}`, stroke: "#eef1f4"}, picture);
      const label = time(s), half = 3.2 * label.length;
      if (x(s) - half < free) continue;
      free = x(s) + half + 6;
      svg("text", {x: x(s), y: height - 8, "text-anchor": "middle"}, picture).textContent = label;
    }
  all.forEach(([what, classes], i) => {
    const total = classes.reduce((sum, each) => sum + each[1], 0);
    let seen = 0, d = `M${x(classes[0][0])},${y(0)}`;
    for (const [s, count] of classes) {
      seen += count;
      d += `H${x(s).toFixed(1)}V${y(seen / total).toFixed(1)}`;
    }
    svg("path", {d, fill: "none", stroke: OTHERS[i % OTHERS.length], "stroke-width": 1.8}, picture);
    svg("text", {x: width - 84, y: 20 + 16 * i, style: `fill:${OTHERS[i % OTHERS.length]};font-weight:600`},
        picture).textContent = readable(what);
  });
}

// ---- All of them -------------------------------------------------------------------------------
const DRAW = {path: drawPath, map: drawMap, timeline: drawTimeline, latency: drawLatency};
for (const article of document.querySelectorAll("article")) {
  const run = runs[Number(article.dataset.run)];
  for (const node of article.querySelectorAll("[data-draw]")) DRAW[node.dataset.draw](run, node);
}
// What a link leads to is unfolded.
function unfoldTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target && target.matches("details")) target.open = true;
}
addEventListener("hashchange", unfoldTarget);
unfoldTarget();
document.body.dataset.drawn = "yes";
})();
