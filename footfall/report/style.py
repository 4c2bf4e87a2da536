"""Look of the page, and a cursor that all plots over time share."""

STYLE = """
:root{--bg:#f6f7f9;--card:#fff;--ink:#1b1f27;--soft:#5c6675;--rule:#e3e7ed;--grid:#eceff3;--good:#00745a;--good-bg:#dff3ec;
--bad:#b03a00;--bad-bg:#fde6da;--accent:#0072b2;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--bg:#12151a;--card:#1b2027;--ink:#e8ebf0;--soft:#9aa5b4;--rule:#2c333d;
--grid:#272d36;--good:#4ad0a5;--good-bg:#12382e;--bad:#ff9a63;--bad-bg:#43220f;--accent:#56b4e9}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans","DejaVu Sans",sans-serif;-webkit-font-smoothing:antialiased}
main{max-width:1220px;margin:0 auto;padding:26px 22px 40px}
header{margin:0 4px 18px}
header div{display:flex;align-items:center;gap:16px;flex-wrap:wrap}
h1{font-size:27px;font-weight:650;letter-spacing:-.015em;margin:0}
h2{font-size:16px;font-weight:620;margin:0 0 10px}
.badge{padding:4px 13px;border-radius:99px;font-weight:600;font-size:14px}
.good{color:var(--good);background:var(--good-bg)}.bad{color:var(--bad);background:var(--bad-bg)}
header ul{display:flex;flex-wrap:wrap;gap:6px 26px;list-style:none;margin:12px 0 0;padding:0;color:var(--soft)}
header li b{color:var(--ink);font-weight:600;margin-right:6px}
section{background:var(--card);border:1px solid var(--rule);border-radius:12px;padding:16px 20px 14px;margin:0 0 16px;
break-inside:avoid}
svg{display:block;width:100%;height:auto;overflow:visible}
.tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(345px,1fr));gap:4px 30px}
table{border-collapse:collapse;width:100%;font-size:13px;align-self:start}
caption{text-align:left;color:var(--soft);font-size:12px;font-weight:600;letter-spacing:.06em;text-transform:uppercase;
padding:0 0 4px}
td{padding:4.5px 0;border-top:1px solid var(--rule);vertical-align:baseline}
td+td{padding-left:8px}td:first-child{line-height:1.25}
.num{text-align:right;font-variant-numeric:tabular-nums;font-weight:600;white-space:nowrap}
small{color:var(--soft);font-weight:400;font-size:12px}
.limit{color:var(--soft);white-space:nowrap;font-variant-numeric:tabular-nums}
.pass,.fail{font-weight:600;white-space:nowrap}.pass{color:var(--good)}.fail{color:var(--bad)}
tr:has(.fail) td{background:var(--bad-bg)}
.grid{stroke:var(--grid)}.axis{stroke:var(--soft);stroke-opacity:.6}
.tick,.unit,.row{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}.row{fill:var(--ink)}
.line{fill:none;stroke-linejoin:round;stroke-linecap:round}
.limit{stroke:none}line.limit{stroke:var(--bad);stroke-dasharray:6 4;stroke-width:1.4}
line.mark{stroke:var(--soft);stroke-dasharray:3 4;stroke-width:1.3}
.limit-text{font-size:12px;fill:var(--bad)}.mark-text{font-size:12px;fill:var(--soft)}
.limit-text,.mark-text{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
.cursor{stroke:var(--accent);stroke-width:1;visibility:hidden}
.legend{display:flex;flex-wrap:wrap;gap:3px 18px;margin:0 0 8px;font-size:13px;color:var(--soft)}
.key{white-space:nowrap}.key i{display:inline-block;width:20px;margin-right:7px;vertical-align:middle}
.note{margin:8px 0 0;color:var(--soft);font-size:13px}
.support{fill:#fff;fill-opacity:.2;stroke:#fff;stroke-opacity:.85;stroke-width:1.3;stroke-linejoin:round}
.body{fill:#fff;stroke:#1b1f27;stroke-width:1.4}
.path{fill:none;stroke:#fff;stroke-width:2}.path-edge{fill:none;stroke:#1b1f27;stroke-opacity:.55;stroke-width:4}
.foothold{stroke:#fff;stroke-width:1}
text.mark{font-size:12.5px;font-weight:600;fill:#fff;paint-order:stroke;stroke:#1b1f27;stroke-opacity:.7;stroke-width:3px}
footer{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:baseline;color:var(--soft);font-size:13px;margin:4px 4px 0}
code{font:13px/1.4 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;color:var(--ink);
background:var(--card);border:1px solid var(--rule);border-radius:7px;padding:4px 10px;overflow-wrap:anywhere}
#time{position:fixed;pointer-events:none;background:var(--accent);color:#fff;font-size:12px;padding:1px 7px;
border-radius:6px;display:none;font-variant-numeric:tabular-nums}
@media print{body{background:#fff}main{max-width:none;padding:0}section{border:0}}
"""

SCRIPT = """
const plots=[...document.querySelectorAll('svg.plot')],box=document.createElement('div');box.id='time';
document.body.append(box);
const hide=()=>{box.style.display='none';plots.forEach(p=>{p.querySelector('.cursor').style.visibility='hidden'})};
plots.forEach(p=>{p.addEventListener('mousemove',e=>{const d=p.dataset,r=p.getBoundingClientRect(),
x=(e.clientX-r.left)/r.width*p.viewBox.baseVal.width,s=(x-d.x0)/(d.x1-d.x0);if(s<0||s>1)return hide();
plots.forEach(q=>{const c=q.querySelector('.cursor');c.setAttribute('x1',x);c.setAttribute('x2',x);
c.style.visibility='visible'});
box.textContent=(+d.t0+s*(d.t1-d.t0)).toFixed(2)+' s';box.style.display='block';box.style.left=e.clientX+14+'px';
box.style.top=e.clientY-10+'px'});p.addEventListener('mouseleave',hide)});
"""
