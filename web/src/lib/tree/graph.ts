// The drawing of a branch tree: a row for each ply, a lane for each line, the main line in lane 0.
import type { TreeNode } from '$pkg';

export const LANE = 18;
export const ROW = 28;
/** How far lane 0 is from the edge. */
export const EDGE = 12;

export const laneX = (lane: number): number => EDGE + lane * LANE;
export const rowY = (ply: number): number => ply * ROW + ROW / 2;

export interface Branch {
  id: number;
  lane: number;
  /** The path of the step from the parent. */
  path: string;
}

/** The steps of a tree as paths. A branch leaves its parent in a curve and then runs straight down its lane. */
export function branches(nodes: readonly TreeNode[]): Branch[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.flatMap((node) => {
    const parent = node.parent === null ? undefined : byId.get(node.parent);
    if (!parent) return [];
    const [x0, y0, x1, y1] = [laneX(parent.lane), rowY(parent.ply), laneX(node.lane), rowY(node.ply)];
    const path =
      x0 === x1 ? `M${x0} ${y0}V${y1}` : `M${x0} ${y0}C${x0} ${y1 - 4} ${x1} ${y0 + 4} ${x1} ${y1}`;
    return [{ id: node.id, lane: node.lane, path }];
  });
}

/** The nodes from the start to `id`. */
export function lineTo(byId: ReadonlyMap<number, TreeNode>, id: number): TreeNode[] {
  const line: TreeNode[] = [];
  for (let node = byId.get(id); node; node = node.parent === null ? undefined : byId.get(node.parent)) {
    line.push(node);
  }
  return line.reverse();
}
