(function () {
  "use strict";
  // Tables: a click on a heading sorts by its column; a second one turns the order around.
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var heads = Array.prototype.slice.call(table.querySelectorAll("thead th"));
    heads.forEach(function (head, column) {
      var button = head.querySelector("button");
      if (!button) return;
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        var body = table.tBodies[0];
        var rows = Array.prototype.slice.call(body.rows);
        var key = function (row) { return row.cells[column].getAttribute("data-v"); };
        rows.sort(function (a, b) {
          var x = key(a), y = key(b), u = parseFloat(x), v = parseFloat(y), order;
          if (isNaN(u) || isNaN(v)) order = isNaN(u) && isNaN(v) ? String(x).localeCompare(String(y)) : isNaN(u) ? 1 : -1;
          else order = u - v;
          return down ? -order : order;
        });
        rows.forEach(function (row) { body.appendChild(row); });
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
      });
    });
  });
  // Pictures: the value of a mark under the pointer, or of the one that the arrow keys have reached.
  document.querySelectorAll("figure").forEach(function (figure) {
    var plot = figure.querySelector(".plot"), say = figure.querySelector(".value");
    var marks = Array.prototype.slice.call(figure.querySelectorAll("g.mark")), at = -1;
    if (!plot || !say || marks.length === 0) return;
    var texts = marks.map(function (mark) {
      var title = mark.querySelector("title"), text = title.textContent;
      mark.removeChild(title); // the line below says it at once, where a title would wait
      return text;
    });
    var show = function (index) {
      if (at >= 0) marks[at].classList.remove("on");
      at = index;
      if (at >= 0) marks[at].classList.add("on");
      say.textContent = at >= 0 ? texts[at] : "";
    };
    marks.forEach(function (mark, index) {
      mark.addEventListener("pointerenter", function () { show(index); });
    });
    plot.addEventListener("keydown", function (event) {
      var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") show(-1);
      else if (event.key === "Home") show(0);
      else if (event.key === "End") show(marks.length - 1);
      else if (step) show((Math.max(at, step < 0 ? 0 : -1) + step + marks.length) % marks.length);
      else return;
      event.preventDefault();
    });
  });
  // What is folded is printed too.
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (part) { part.open = true; });
  });
})();
