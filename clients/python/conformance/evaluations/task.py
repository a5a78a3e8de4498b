"""An evaluation whose model is a script: it uses tools, and what they did in the sandbox is scored."""

import itertools

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import bash, python
from inspect_ai.util import sandbox

COMMANDS = ["test -s set_up && expr $(cat number) \\* 7 > product", "print(open('product').read(), end='')"]


def model(messages, tools, tool_choice, config):
    done = sum(isinstance(message, ChatMessageTool) for message in messages)
    if done == 0:
        output = ModelOutput.for_tool_call("mockllm", "bash", {"command": COMMANDS[0]})
    elif done == 1:
        output = ModelOutput.for_tool_call("mockllm", "python", {"code": COMMANDS[1]})
    else:
        output = ModelOutput.from_content("mockllm", messages[-1].text)
    output.usage = ModelUsage()  # else it is counted with a file of the internet
    return output


@scorer(metrics=[accuracy()])
def product():
    async def score(state, target):
        written = await sandbox().read_file("product")
        right = written.strip() == state.output.completion.strip() == target.text
        return Score(value="C" if right else "I", answer=written)

    return score


@task
def multiply(samples: int = 3):
    return Task(
        dataset=[
            Sample(input=f"{n} times 7", target=str(n * 7), files={"number": str(n)}, setup="echo yes > set_up")
            for n in itertools.islice(itertools.count(6), samples)
        ],
        solver=[use_tools(bash(timeout=60), python(timeout=60)), generate()],
        scorer=product(),
        model=get_model("mockllm/model", custom_outputs=model),
    )
