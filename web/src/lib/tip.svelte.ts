/** A card that opens beside a button: on hover, focus or tap. */
export class Tip {
  over = $state(false);
  tapped = $state(false);
  at = $state({ left: 0, top: 0 });
  /** The card's own height, once it is there. */
  high = $state(0);

  constructor(readonly width: number) {}

  get open(): boolean {
    return this.over || this.tapped;
  }

  close = (): void => {
    this.over = this.tapped = false;
  };

  /** Beside the button, and inside the window. */
  place(button: HTMLElement): void {
    const box = button.getBoundingClientRect();
    const left = Math.min(
      Math.max(box.left + box.width / 2 - this.width / 2, 8),
      Math.max(innerWidth - this.width - 8, 8),
    );
    const below = Math.min(box.bottom + 8, Math.max(innerHeight - this.high - 8, 8));
    this.at = { left, top: box.top > innerHeight / 2 ? Math.max(box.top - this.high - 8, 8) : below };
  }

  /** What the button listens to. */
  readonly on = {
    onpointerenter: (event: PointerEvent): void => void (event.pointerType === "mouse" && (this.over = true)),
    onpointerleave: (): void => void (this.over = false),
    onfocus: (event: FocusEvent): void =>
      void ((event.currentTarget as HTMLElement).matches(":focus-visible") && (this.over = true)),
    onblur: this.close,
    onclick: (): void => void (this.tapped = !this.tapped),
  };
}
