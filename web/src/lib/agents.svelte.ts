/** The agents of the service, asked for once: who "Bo" is stands under a name at any table. */
import { api, type AgentInfo } from "../api";

class Agents {
  private all = $state.raw<Map<string, AgentInfo>>(new Map());
  private asked = false;

  /** Ask who there is, unless that is known. */
  async meet(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      this.know(await api.agents());
    } catch {
      this.asked = false; // the next table asks again
    }
  }

  know(agents: AgentInfo[]): void {
    this.asked = true;
    this.all = new Map(agents.map((agent) => [agent.name, agent]));
  }

  /** What is known of an agent; its name alone, where nothing is. */
  of(name: string): Pick<AgentInfo, "name" | "title" | "style" | "about"> {
    return this.all.get(name) ?? { name, title: name, style: null, about: "" };
  }
}

export const agents = new Agents();
